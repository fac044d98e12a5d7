import { STANDINGS, type Standing } from '../../lib/shares.ts';

/** The facts of a waiting message that the choice of the next one depends on. */
export interface WaitingMessage {
  readonly seq: number;
  /** Null if it was sent by hand. */
  readonly source: string | null;
  /** Null for a status, which has no receiver. */
  readonly phone: string | null;
  readonly standing: Standing;
  /** Its place among the messages to its receiver: its number, or a higher one if it goes behind the others. */
  readonly place: number;
}

/**
 * All messages that wait for one receiver. Each status counts as a separate receiver, so that none waits for another.
 */
export interface ReceiverQueue {
  readonly key: string;
  readonly phone: string | null;
  /** In the order of sending. */
  readonly waiting: Record<Standing, WaitingMessage[]>;
  /** The source in whose ring it is, which is that of its next message; null if it is in none. */
  readonly ring: Record<Standing, string | null>;
  /** True if its call is under way. */
  isBusy: boolean;
  /** The times until which it has reached its hourly cap (ms); null if it has not. */
  fullUntil: Until;
  /** The times until which messages are held back because it never got one (ms); null if they are not. */
  heldUntil: Until;
}

type Until = Readonly<Record<Standing, number | null>>;

/** Shared by the receivers that nothing holds back. */
export const NEVER: Until = { urgent: null, signed: null, open: null };

/** A source's name cannot be empty. */
const sourceOf = ({ source }: WaitingMessage): string => source ?? '';
/** A number cannot begin with `#`. */
export const keyOf = ({ phone, seq }: Pick<WaitingMessage, 'phone' | 'seq'>): string => phone ?? `#${seq}`;

/** Nothing is ever added to it. */
const NOBODY: WaitingMessage[] = [];

export const newReceiver = (of: Pick<WaitingMessage, 'phone' | 'seq'>): ReceiverQueue => ({
  key: keyOf(of),
  phone: of.phone,
  waiting: { urgent: NOBODY, signed: NOBODY, open: NOBODY },
  ring: { urgent: null, signed: null, open: null },
  isBusy: false,
  fullUntil: NEVER,
  heldUntil: NEVER,
});

/** The number of messages that wait for a receiver. */
export const countOf = ({ waiting }: ReceiverQueue): number =>
  waiting.urgent.length + waiting.signed.length + waiting.open.length;

/** The longer line of those that are not urgent: strangers' messages become a digest of their own. */
export const longestOf = ({ waiting: { signed, open } }: ReceiverQueue): readonly WaitingMessage[] =>
  open.length > signed.length ? open : signed;

/** Adds a message to those of its standing, by its place. Nearly all come in order, so the search begins at the end. */
export function addTo({ waiting }: ReceiverQueue, message: WaitingMessage): void {
  const { standing } = message;
  const line = waiting[standing];
  let at = line.length;
  while (at > 0 && (line[at - 1]?.place ?? 0) > message.place) at -= 1;
  // Most wait alone, and a list of one is small as long as nothing is added.
  if (line.length === 0) waiting[standing] = [message];
  else line.splice(at, 0, message);
}

/** Removes a message, if it waits here, and returns its standing. */
export function removeFrom({ waiting }: ReceiverQueue, seq: number): Standing | null {
  for (const name of STANDINGS) {
    const at = waiting[name].findIndex((message) => message.seq === seq);
    if (at < 0) continue;
    waiting[name].splice(at, 1);
    return name;
  }
  return null;
}

/** Returns the source in whose ring the receiver belongs now; null if none of its messages of the standing may go. */
export function ringFor(
  { waiting, isBusy, fullUntil, heldUntil }: ReceiverQueue,
  name: Standing,
): string | null {
  const [head] = waiting[name];
  const isFree = !isBusy && fullUntil[name] === null && heldUntil[name] === null;
  return isFree && head !== undefined ? sourceOf(head) : null;
}

/** Receivers with too many waiting normal messages that got another one since the last check. */
export class Crowded {
  /** A larger number of messages is too many. */
  #above = Infinity;
  readonly #phones = new Set<string>();

  note(receiver: ReceiverQueue): void {
    if (receiver.phone !== null && longestOf(receiver).length > this.#above) this.#phones.add(receiver.phone);
  }

  /** True if there are any. `all`: the receivers to examine if the limit has changed. */
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
