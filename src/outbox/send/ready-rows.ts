import type { MessageRow } from '../state/message.ts';

/** A message as its row has it. `receivedAt`: when its webhook came in, or when it was sent by hand (ms). */
export interface Ready {
  readonly row: MessageRow;
  readonly receivedAt: number;
}

/** How many rows are kept, and how many characters of parameters: a few MB of an object's 128. */
const MAX_ROWS = 2_000;
const MAX_CHARACTERS = 2_000_000;

/**
 * The rows of messages that were just accepted: what this object has just written need not be read again. Rows beyond
 * the limits are read when they are claimed.
 */
export class ReadyRows {
  readonly #rows = new Map<number, Ready>();
  #characters = 0;

  add(ready: Ready): void {
    const { row } = ready;
    if (this.#rows.size >= MAX_ROWS || this.#characters + row.params.length > MAX_CHARACTERS) return;
    this.#rows.set(row.seq, ready);
    this.#characters += row.params.length;
  }

  /** Takes a message's row out; null: it must be read. */
  take(seq: number): Ready | null {
    const ready = this.#rows.get(seq);
    if (ready === undefined) return null;
    this.#rows.delete(seq);
    this.#characters -= ready.row.params.length;
    return ready;
  }

  /** To be called when rows may have been changed by somebody else than a call's record. */
  clear(): void {
    this.#rows.clear();
    this.#characters = 0;
  }
}
