/** Wakes one waiter. A notice that comes while nobody waits is kept, so that it cannot be missed. */
export class Signal {
  #noticed = false;
  #wake: (() => void) | null = null;

  notify(): void {
    this.#noticed = true;
    this.#wake?.();
  }

  /** Resolves at the next notice (or at once, when one came since the last wait), or when `timeout` does. */
  async wait(timeout: Promise<void> | null): Promise<void> {
    const notice = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    if (!this.#noticed) await (timeout === null ? notice : Promise.race([notice, timeout]));
    this.#wake = null;
    this.#noticed = false;
  }
}
