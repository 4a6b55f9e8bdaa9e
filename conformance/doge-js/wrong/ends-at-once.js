// The game stops when a goal is met instead of playing the round to its end.
export const game = (Doge) =>
  class extends Doge {
    goOn() {
      super.goOn();
      if (this.clock.step === "blue" && this.met.includes(1)) this.ask("over", () => false);
    }
  };
