// Presses of buttons are told from buttons that are held.

/** The buttons that went down since the last look. */
export class Presses {
  private readonly down = new Set<number>();

  /** True once for each press. */
  look(index: number, isDown: boolean): boolean {
    const isFresh = isDown && !this.down.has(index);
    if (isDown) this.down.add(index);
    else this.down.delete(index);
    return isFresh;
  }
}
