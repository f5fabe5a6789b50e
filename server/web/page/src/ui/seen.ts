// Elements that cannot be seen are found here, so that nobody draws them.

/** The elements that can be seen: not hidden, not scrolled away. */
export class Seen {
  private readonly seen = new Set<Element>();
  private readonly observer: IntersectionObserver;

  constructor() {
    this.observer = new IntersectionObserver((entries) => {
      for (const entry of entries) {
        if (entry.isIntersecting) this.seen.add(entry.target);
        else this.seen.delete(entry.target);
      }
    });
  }

  watch(element: Element): void {
    this.observer.observe(element);
  }

  has(element: Element): boolean {
    return this.seen.has(element);
  }

  end(): void {
    this.observer.disconnect();
    this.seen.clear();
  }
}
