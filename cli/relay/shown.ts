import { isFinal } from '../../src/outbox/state/states.ts';
import type { Dated } from './history.ts';

/** The remembered things of each type: more than could come again. */
const MOST = 5_000;

interface Seen {
  readonly state: string;
  /** Its last attempt; 0: none is known. */
  readonly n: number;
  readonly at: number;
  /** True if it is known from a list. */
  readonly isListed: boolean;
}

/** Remembers everything that a tail has shown, so that the lists and the stream together show nothing twice. */
export class Shown {
  readonly #others = new Map<string, true>();
  readonly #messages = new Map<string, Seen>();

  /** Messages that may go on. */
  get pending(): readonly string[] {
    return [...this.#messages].filter(([, { state }]) => !isFinal(state)).map(([id]) => id);
  }

  /** True if this was not shown yet; from then on it was. */
  take(frame: Dated, isListed: boolean): boolean {
    if (frame.type === 'message') return this.#takeMessage(frame, isListed);
    const name = nameOf(frame);
    const isNew = !this.#others.has(name);
    remember(this.#others, name, true);
    return isNew || (!isListed && frame.type === 'event' && frame.duplicate);
  }

  #takeMessage(frame: Extract<Dated, { readonly type: 'message' }>, isListed: boolean): boolean {
    const { message, state } = frame;
    const before = this.#messages.get(message);
    const now = { state, n: frame.n ?? before?.n ?? 0, at: Date.parse(frame.at), isListed };
    const isSame = before?.state === now.state && before.n === now.n;
    // The stream is a little late: what it says of the time before the list is in the list.
    const isLate = before?.isListed === true && now.at <= before.at;
    if (isListed ? isSame : isLate || (isSame && before.isListed)) return false;
    remember(this.#messages, message, now);
    return true;
  }
}

/** The name of a frame's subject. */
export function nameOf(frame: Dated): string {
  if (frame.type === 'message') return frame.message;
  return frame.type === 'event' ? frame.event : `rejection ${frame.n}`;
}

/** The oldest is forgotten when there are too many. */
function remember<Value>(known: Map<string, Value>, name: string, value: Value): void {
  known.delete(name);
  known.set(name, value);
  const [oldest] = known.keys();
  if (known.size > MOST && oldest !== undefined) known.delete(oldest);
}
