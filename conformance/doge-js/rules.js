// The rules of Doge, section by section: who may do what, and what comes of it.
// A method that begins with `refuse` gives the reason against a move, or null when it is allowed.

import { DISTRICTS, DOGE_PALACE, HOME, HOUSES, NONE, PALACES, SITES, Table } from "./table.js";

const isDistrict = (place) => place !== DOGE_PALACE;
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

export class Rules extends Table {
  // --- 2. Setting up: the brown cards are turned up one by one ----------------------------------

  refuseBrown(place) {
    return this.order.indexOf(place) < this.clock.slot
      ? "this place already lies in the row"
      : null;
  }

  turnBrown(place) {
    const { slot } = this.clock;
    this.order[this.order.indexOf(place)] = this.order[slot];
    this.order[slot] = place;
    this.clock.slot += 1;
  }

  // --- 5.1 Bidding ------------------------------------------------------------------------------

  biddingTurns() {
    return this.players === 3 ? 4 : 3;
  }

  markersLeft(player) {
    return sum(this.pouch[player]);
  }

  canBid(player) {
    return this.markersLeft(player) > 0;
  }

  isBidSize(count) {
    return count >= 1 && count <= 4;
  }

  refuseBid(player, place, zeros, ones, twos, threes) {
    if (this.played[player][place]) return "the card of this place has been played";
    if (!this.isBidSize(zeros + ones + twos + threes)) return "a bid has one to four markers";
    const pouch = this.pouch[player];
    if (zeros > pouch[0] || ones > pouch[1] || twos > pouch[2] || threes > pouch[3])
      return "there are not so many markers of this value";
    return null;
  }

  bid(player, place, ...markers) {
    this.played[player][place] = 1;
    markers.forEach((count, value) => {
      this.pouch[player][value] -= count;
      this.urn[place][player][value] += count;
    });
  }

  refuseHoldBack() {
    return "whoever has markers left must bid";
  }

  // --- 5.2.1 The blue cards tell the order of the next round ------------------------------------

  refuseBlue(place) {
    return this.coming.includes(place) ? "this place has already been turned up" : null;
  }

  turnBlue(place) {
    this.coming[this.clock.turned] = place;
    this.clock.turned += 1;
  }

  // --- 5.2.2 The result of a vote ---------------------------------------------------------------

  /** Markers count their value, a zero nothing; a councillor counts for the owner of its ring. */
  votes(player, place) {
    const [, ones, twos, threes] = this.urn[place][player];
    let votes = ones + 2 * twos + 3 * threes;
    for (let councillor = 0; councillor < HOME.length; councillor += 1)
      if (this.seat[councillor] === place && this.ring[councillor] === player) votes += 1;
    return votes;
  }

  /** Whoever has no vote at all is neither first nor second, with a marker there or without. */
  contends(player, place) {
    return this.votes(player, place) > 0;
  }

  /** For each player 1, 2 or 0; nobody is second behind a tie for first. */
  ranking(place) {
    const votes = this.seats.map((player) =>
      this.contends(player, place) ? this.votes(player, place) : NONE,
    );
    const best = Math.max(...votes);
    const tied = votes.indexOf(best) !== votes.lastIndexOf(best);
    const next = tied ? NONE : Math.max(...votes.map((number) => (number < best ? number : NONE)));
    return votes.map((number) =>
      number === NONE ? 0 : number === best ? 1 : number === next ? 2 : 0,
    );
  }

  openVotes(place) {
    this.clock.counting = place;
    this.standing.set(this.ranking(place));
  }

  howMany(rank) {
    return this.standing.reduce((count, standing) => count + (standing === rank), 0);
  }

  // --- 5.2.3 to 5.2.6 Councillors ---------------------------------------------------------------

  /** Who decides on a councillor at this stage: the first alone, in the Quarantia the second too. */
  chooses(player, place, stage) {
    const rank = isDistrict(place) ? (stage === 1 ? 1 : 0) : stage === 2 ? 2 : 1;
    return rank > 0 && this.standing[player] === rank && this.howMany(rank) === 1;
  }

  atStake(councillor) {
    return HOME[councillor] === this.clock.counting && !this.decided[councillor];
  }

  /** A spare ring, or the ring that the councillor already wears. */
  hasRingFor(player, councillor) {
    return this.ringsLeft[player] > 0 || this.ring[councillor] === player;
  }

  maySit(councillor, place) {
    return HOME[councillor] !== place;
  }

  refuseTake(player, councillor, place) {
    if (!this.atStake(councillor)) return "this councillor is not at stake";
    if (!this.hasRingFor(player, councillor)) return "no ring is left";
    if (!this.maySit(councillor, place)) return "a councillor never sits where it comes from";
    return null;
  }

  take(player, councillor, place) {
    this.takeRingOff(councillor);
    this.ring[councillor] = player;
    this.ringsLeft[player] -= 1;
    this.seat[councillor] = place;
    this.decided[councillor] = 1;
  }

  refuseTakeWaiting() {
    return "a councillor that is taken must be sent to a place";
  }

  refuseRenounce(player, councillor) {
    return this.atStake(councillor) ? null : "this councillor is not at stake";
  }

  /** By choice or for want of a ring, it is all the same: one house may be moved instead. */
  renounce(player, councillor) {
    this.sendHome(councillor);
    this.decided[councillor] = 1;
    this.movesLeft[player] = 1;
  }

  takeRingOff(councillor) {
    const owner = this.ring[councillor];
    if (owner === NONE) return;
    this.ring[councillor] = NONE;
    this.ringsLeft[owner] += 1;
  }

  sendHome(councillor) {
    this.takeRingOff(councillor);
    this.seat[councillor] = NONE;
  }

  // --- 5.2.5 to 5.2.7 Houses --------------------------------------------------------------------

  /** Houses to place: two for the firsts of a district, then one for the seconds. */
  housesWon(player, place, stage) {
    if (!isDistrict(place)) return 0;
    if (this.standing[player] === 1) return stage === 2 ? 2 : 0;
    if (this.standing[player] === 2) return stage === 3 ? 1 : 0;
    return 0;
  }

  /** Houses to move: what those who tie in the Quarantia get in place of councillors. */
  movesWon(player, place, stage) {
    if (isDistrict(place)) return 0;
    const rank = this.standing[player];
    if (rank === 0 || this.howMany(rank) === 1) return 0;
    if (rank === 1) return stage === 1 ? 2 : 0;
    return stage === 2 ? 1 : 0;
  }

  award(place, stage) {
    for (const player of this.seats) {
      this.toPlace[player] = this.housesWon(player, place, stage);
      this.movesLeft[player] = this.movesWon(player, place, stage);
      this.arrived[player] = NONE;
    }
  }

  housesOnBoard(player) {
    return HOUSES - this.housesLeft[player];
  }

  /** Whoever has houses to place or to move, and has such houses. */
  seesToHouses(player) {
    return (
      (this.toPlace[player] > 0 && this.housesLeft[player] > 0) ||
      (this.movesLeft[player] > 0 && this.housesOnBoard(player) > 0)
    );
  }

  refusePlaceHouses(player, count) {
    if (count > this.toPlace[player]) return "there are not so many houses to place";
    if (count > this.housesLeft[player]) return "there are not so many houses in reserve";
    return null;
  }

  placeHouses(player, count) {
    const place = this.clock.counting;
    this.housesLeft[player] -= count;
    this.houses[place][player] += count;
    this.toPlace[player] = 0;
    this.arrived[player] = place;
  }

  isWay(origin, target) {
    const here = this.clock.counting;
    return !isDistrict(here) || origin === here || target === here;
  }

  refuseMoveHouses(player, count, origin, target) {
    if (count > this.movesLeft[player]) return "there are not so many houses to move";
    if (count > this.houses[origin][player])
      return "there are not so many houses to move from there";
    if (origin === target) return "a house moves to another place";
    if (!isDistrict(target)) return "houses stand in districts only";
    if (!this.isWay(origin, target))
      return "after the vote of a district a house leaves or enters it";
    return null;
  }

  moveHouses(player, count, origin, target) {
    this.houses[origin][player] -= count;
    this.houses[target][player] += count;
    this.movesLeft[player] = 0;
    this.arrived[player] = target;
  }

  leaveHouses(player) {
    this.toPlace[player] = 0;
    this.movesLeft[player] = 0;
  }

  // --- 5.2.8 Palaces ----------------------------------------------------------------------------

  palacesAt(place) {
    return sum(this.palaces[place]);
  }

  freeSites(place) {
    return isDistrict(place) ? SITES - this.palacesAt(place) : 0;
  }

  palaceCost(place) {
    return 3 + this.palacesAt(place);
  }

  mayBuild(player, place) {
    return (
      this.arrived[player] === place &&
      this.freeSites(place) > 0 &&
      this.palacesLeft[player] > 0 &&
      this.houses[place][player] >= this.palaceCost(place)
    );
  }

  /** The first district where somebody may build, or NONE. */
  buildingGround() {
    return (
      DISTRICTS.find((place) => this.seats.some((player) => this.mayBuild(player, place))) ?? NONE
    );
  }

  build(player) {
    this.wants[player] = 1;
  }

  /** All who build now pay the same; when there are too few sites for them, nobody builds. */
  raisePalaces(place) {
    const price = this.palaceCost(place);
    const builders = this.seats.filter((player) => this.wants[player]);
    if (builders.length <= this.freeSites(place))
      for (const player of builders) this.raisePalace(player, place, price);
    for (const player of this.seats)
      if (this.arrived[player] === place) this.arrived[player] = NONE;
    this.wants.fill(0);
  }

  raisePalace(player, place, price) {
    this.houses[place][player] -= price;
    this.housesLeft[player] += price;
    this.palacesLeft[player] -= 1;
    this.palaces[place][player] += 1;
  }

  // --- The end of a vote, of a round, of the game (5.2, 5.3, 6) ---------------------------------

  closeVote(place) {
    this.takeMarkersBack(place);
    if (this.howMany(1) > 0) this.neutralise(place);
    for (const player of this.seats) if (this.fulfils(player)) this.met[player] = 1;
    this.standing.fill(0);
    this.toPlace.fill(0);
    this.movesLeft.fill(0);
    this.arrived.fill(NONE);
    this.decided.fill(0);
    this.clock.counting = NONE;
  }

  takeMarkersBack(place) {
    this.urn[place].forEach((markers, player) => {
      markers.forEach((count, value) => (this.pouch[player][value] += count));
      markers.fill(0);
    });
  }

  /** Councillors of the place on which nobody has decided lose their rings and wait again. */
  neutralise(place) {
    for (let councillor = 0; councillor < HOME.length; councillor += 1)
      if (HOME[councillor] === place && !this.decided[councillor]) this.sendHome(councillor);
  }

  endRound() {
    this.order.set(this.coming);
    this.coming.fill(NONE);
    this.clock.turned = 0;
    for (const cards of this.played) cards.fill(0);
  }

  palacesOf(player) {
    return PALACES - this.palacesLeft[player];
  }

  placesBuilt(player) {
    return DISTRICTS.reduce((count, place) => count + (this.palaces[place][player] > 0), 0);
  }

  fulfils(player) {
    const palaces = this.palacesOf(player);
    const places = this.placesBuilt(player);
    return (
      places === DISTRICTS.length || (palaces >= 7 && places >= 5) || (palaces >= 8 && places >= 4)
    );
  }

  /** Somebody has met a goal, or nobody can ever build again. */
  isOver() {
    if (this.seats.some((player) => this.fulfils(player))) return true;
    const sites = DISTRICTS.some((place) => this.freeSites(place) > 0);
    return !sites || this.seats.every((player) => this.palacesLeft[player] === 0);
  }

  /** Palaces decide among those who meet a goal (or all, if none does), then houses on the board. */
  winners() {
    const fulfilling = this.seats.filter((player) => this.fulfils(player));
    const eligible = fulfilling.length > 0 ? fulfilling : this.seats;
    const worth = (player) => this.palacesOf(player) * (HOUSES + 1) + this.housesOnBoard(player);
    const best = Math.max(...eligible.map(worth));
    return eligible.filter((player) => worth(player) === best);
  }
}
