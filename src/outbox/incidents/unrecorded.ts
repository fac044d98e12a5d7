/** Ends of messages that could not be recorded, on a disk that is full for a moment. They are in no row and nowhere else. */
export class Unrecorded {
  readonly #writes = new Map<number, () => void>();

  get isAny(): boolean {
    return this.#writes.size > 0;
  }

  /** Records the end of a message, after those that are left. What throws is kept. */
  record(seq: number, write: () => void): void {
    try {
      this.recordAgain();
      write();
    } catch (thrown) {
      this.#writes.set(seq, write);
      throw thrown;
    }
  }

  recordAgain(): void {
    for (const [seq, write] of this.#writes) {
      write();
      this.#writes.delete(seq);
    }
  }
}
