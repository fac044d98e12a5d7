/** Wakes one waiter. If `notify` is called while nobody waits, the next wait ends at once, so no call is missed. */
export class Signal {
  #isNotified = false;
  #wake: (() => void) | null = null;

  notify(): void {
    this.#isNotified = true;
    this.#wake?.();
  }

  /** Resolves at the next `notify`, or at once if it was called since the last wait, or when `timeout` does. */
  async wait(timeout: Promise<void> | null): Promise<void> {
    const notified = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    if (!this.#isNotified) await (timeout === null ? notified : Promise.race([notified, timeout]));
    this.#wake = null;
    this.#isNotified = false;
  }
}
