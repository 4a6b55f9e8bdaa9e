// Whoever has a marker there takes part, even with no vote at all.
export const game = (Doge) =>
  class extends Doge {
    contends(player, place) {
      return this.urn[place][player].some((count) => count > 0) || super.contends(player, place);
    }
  };
