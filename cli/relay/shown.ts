import type { Change } from './history.ts';

/** The remembered things: more than could come again. */
const MOST = 5_000;

/** Remembers what a tail has shown, so that the lists and the relay's changes together show nothing twice. */
export class Shown {
  readonly #last = new Map<string, Change>();

  /** True if this was not shown yet; from then on it was. */
  take(change: Change, isListed: boolean): boolean {
    const name = nameOf(change);
    const before = this.#last.get(name);
    this.#last.delete(name);
    this.#last.set(name, change);
    const [oldest] = this.#last.keys();
    if (this.#last.size > MOST && oldest !== undefined) this.#last.delete(oldest);
    if (before === undefined || isOther(before, change)) return true;
    return !isListed && change.type === 'event' && change.duplicate && change.at !== before.at;
  }
}

/** True if a message has gone on. Only changes by an attempt say which attempt it was. */
const isOther = (before: Change, now: Change): boolean =>
  before.type === 'message' &&
  now.type === 'message' &&
  (before.state !== now.state || (now.n !== undefined && before.n !== undefined && now.n !== before.n));

function nameOf(change: Change): string {
  if (change.type === 'message') return change.message;
  return change.type === 'event' ? change.event : `rejection ${change.n}`;
}
