/** The car that is looked at: chosen on the map or in the tower, followed and measured. */
export class Selection {
  private chosen = 0;
  private readonly listeners: ((car: number) => void)[] = [];

  /** Id of its poses; 0: none. */
  get car(): number {
    return this.chosen;
  }

  choose(car: number): void {
    if (car === this.chosen) return;
    this.chosen = car;
    for (const listener of this.listeners) listener(car);
  }

  onChange(listener: (car: number) => void): void {
    this.listeners.push(listener);
  }
}
