// The order of play: who is asked what, and what follows from the answers.

import { movesAt, isOffered } from "./moves.js";
import { Rules } from "./rules.js";
import { NONE } from "./table.js";

// For each move, the method that may object to it and the one that carries it out.
const METHODS = {
  turn_brown: { refuse: "refuseBrown", carryOut: "turnBrown" },
  bid: { refuse: "refuseBid", carryOut: "bid" },
  hold_back: { refuse: "refuseHoldBack" },
  take: { refuse: "refuseTake", carryOut: "take" },
  take_waiting: { refuse: "refuseTakeWaiting" },
  renounce: { refuse: "refuseRenounce", carryOut: "renounce" },
  place_houses: { refuse: "refusePlaceHouses", carryOut: "placeHouses" },
  move_houses: { refuse: "refuseMoveHouses", carryOut: "moveHouses" },
  leave_houses: { carryOut: "leaveHouses" },
  build: { carryOut: "build" },
  forgo: {},
  turn_blue: { refuse: "refuseBlue", carryOut: "turnBlue" },
};

const STAGES = 3; // of a vote
const isChance = (step) => step === "brown" || step === "blue";

export class Doge extends Rules {
  constructor(players) {
    super(players);
    this.history = [];
  }

  // --- What may be done -------------------------------------------------------------------------

  legal() {
    const { step, asked } = this.clock;
    const seats = isChance(step) ? [0] : asked;
    return seats.flatMap((seat) =>
      movesAt(step, seat).filter((move) => this.objection(move) === null),
    );
  }

  /** Why the rules forbid a move that is offered now, or null. */
  objection({ name, numbers }) {
    const { refuse } = METHODS[name];
    return refuse === undefined ? null : this[refuse](...numbers);
  }

  /** Why these moves are no lawful step, or null. */
  refusal(moves) {
    const misplaced = this.misplaced(moves);
    if (misplaced !== null) return misplaced;
    for (const move of moves) {
      const objection = this.objection(move);
      if (objection !== null) return objection;
    }
    return null;
  }

  /** Why these are not the moves, or the players, that are asked for, or null. */
  misplaced(moves) {
    const { step, asked } = this.clock;
    const wanted = isChance(step) ? [null] : asked;
    if (step === "over") return "the game is over";
    if (moves.length !== wanted.length) return "one move is needed from everyone who is to act";
    if (moves.some((move, index) => move.seat !== wanted[index])) return "somebody else is to act";
    const stray = moves.find((move) => !isOffered(step, move.name));
    return stray === undefined ? null : `${stray.name} is not offered now`;
  }

  // --- Doing it ---------------------------------------------------------------------------------

  /** Moves of all who are to act, in seat order, or one of chance. The reason when they are refused. */
  play(moves) {
    const reason = this.refusal(moves);
    if (reason !== null) return reason;
    this.history.push(this.snapshot());
    for (const move of moves) this.carryOut(move);
    this.goOn();
    return null;
  }

  carryOut({ name, numbers }) {
    const { carryOut } = METHODS[name];
    if (carryOut !== undefined) this[carryOut](...numbers);
  }

  undo() {
    if (this.history.length === 0) return "nothing has been played";
    this.restore(this.history.pop());
    return null;
  }

  // --- What follows -----------------------------------------------------------------------------

  /** Play goes on after a step until somebody, or chance, has to choose again. */
  goOn() {
    const { clock } = this;
    switch (clock.step) {
      case "brown":
        if (clock.slot === this.order.length) this.openRound();
        break;
      case "bidding":
        this.nextBidding();
        break;
      case "councillor":
        this.seeToHouses();
        break;
      case "building":
        this.raisePalaces(clock.ground);
        this.seeToBuilding();
        break;
      case "houses":
        this.seeToBuilding();
        break;
      case "blue":
        if (clock.turned < this.order.length) this.nextVote();
        else this.closeRound();
        break;
      default:
        throw new Error(`play cannot go on from ${clock.step}`);
    }
  }

  /** True when there is somebody to ask. */
  ask(step, isAsked) {
    this.clock.step = step;
    this.clock.asked = this.seats.filter(isAsked);
    return this.clock.asked.length > 0;
  }

  openRound() {
    this.clock.biddings = this.biddingTurns();
    this.nextBidding();
  }

  nextBidding() {
    while (this.clock.biddings > 0) {
      this.clock.biddings -= 1;
      if (this.ask("bidding", (player) => this.canBid(player))) return;
    }
    this.nextVote();
  }

  nextVote() {
    this.openVotes(this.order[this.clock.turned]);
    this.clock.stage = 0;
    this.nextStage();
  }

  /** Quarantia: first, second, first. District: the first's councillor, the firsts' houses, the seconds'. */
  nextStage() {
    const { clock } = this;
    if (clock.stage === STAGES) {
      this.closeVote(clock.counting);
      this.ask("blue", () => false);
      return;
    }
    clock.stage += 1;
    this.award(clock.counting, clock.stage);
    if (!this.ask("councillor", (player) => this.chooses(player, clock.counting, clock.stage)))
      this.seeToHouses();
  }

  seeToHouses() {
    if (!this.ask("houses", (player) => this.seesToHouses(player))) this.nextStage();
  }

  seeToBuilding() {
    const ground = this.buildingGround();
    this.clock.ground = ground;
    if (ground === NONE) this.seeToHouses();
    else this.ask("building", (player) => this.mayBuild(player, ground));
  }

  closeRound() {
    this.endRound();
    if (this.isOver()) this.ask("over", () => false);
    else this.openRound();
  }
}
