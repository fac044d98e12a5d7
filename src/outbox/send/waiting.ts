/** A message that waits, as far as the choice of the next one depends on it. */
export interface WaitingMessage {
  readonly seq: number;
  /** Null: sent by hand. */
  readonly source: string | null;
  /** Null: a status, which has no receiver. */
  readonly phone: string | null;
  readonly isUrgent: boolean;
  /** Its place among the messages to its receiver: its number, or a higher one when it goes behind the others. */
  readonly place: number;
}

export const CLASSES = ['urgent', 'normal'] as const;
export type Class = (typeof CLASSES)[number];

/**
 * All messages that wait for one receiver. Each status counts as a separate receiver, so that none waits for another.
 */
export interface ReceiverQueue {
  readonly key: string;
  readonly phone: string | null;
  /** In the order of sending. */
  readonly waiting: Record<Class, WaitingMessage[]>;
  /** The source in whose ring it is, which is that of its next message; null: in none. */
  readonly ring: Record<Class, string | null>;
  /** Its call is under way. */
  isBusy: boolean;
  /** Until when it has reached its hourly cap (ms); null: it has not. */
  fullUntil: number | null;
  /** Until when its normal messages are held back, since it never got one (ms); null: they are not. */
  heldUntil: number | null;
}

export const classOf = ({ isUrgent }: WaitingMessage): Class => (isUrgent ? 'urgent' : 'normal');
/** No source has an empty name. */
export const sourceOf = ({ source }: WaitingMessage): string => source ?? '';
/** No number begins with `#`. */
export const keyOf = ({ phone, seq }: Pick<WaitingMessage, 'phone' | 'seq'>): string => phone ?? `#${seq}`;

export const newReceiver = (of: Pick<WaitingMessage, 'phone' | 'seq'>): ReceiverQueue => ({
  key: keyOf(of),
  phone: of.phone,
  waiting: { urgent: [], normal: [] },
  ring: { urgent: null, normal: null },
  isBusy: false,
  fullUntil: null,
  heldUntil: null,
});

export const hasNothing = ({ waiting }: ReceiverQueue): boolean =>
  waiting.urgent.length === 0 && waiting.normal.length === 0;

/** Receivers for whom too many normal messages wait, and that got one more since this was asked last. */
export class Crowded {
  /** More than this are too many. */
  #above = Infinity;
  readonly #phones = new Set<string>();

  note({ phone, waiting }: ReceiverQueue): void {
    if (phone !== null && waiting.normal.length > this.#above) this.#phones.add(phone);
  }

  /** True if there is any. `all`: the receivers to examine if the limit has changed. */
  isAny(above: number, all: Iterable<ReceiverQueue>): boolean {
    if (above !== this.#above) {
      this.#above = above;
      this.#phones.clear();
      for (const receiver of all) this.note(receiver);
    }
    return this.#phones.size > 0;
  }

  take(): readonly string[] {
    const phones = [...this.#phones];
    this.#phones.clear();
    return phones;
  }
}
