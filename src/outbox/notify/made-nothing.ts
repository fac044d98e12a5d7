import { DAY } from '../../lib/time.ts';
import { parseOwnJson } from '../../lib/json.ts';
import type { Acceptance } from '../state/acceptance.ts';
import { readFact, writeFact } from '../state/meta.ts';

interface Kept {
  readonly routes: number;
  /** So many webhooks made nothing since the routes were changed, up to {@link ENOUGH}; null: one made something. */
  readonly nothing: number | null;
  /** When its owner was notified last (ms). */
  readonly toldAt: number | null;
}

/** One webhook that makes nothing may be a test. */
const ENOUGH = 2;

/** True if an event made something, or a silence took what it would have made. */
const hasMade = ({ event, messages, items = [] }: Acceptance): boolean =>
  messages.length + items.length + (event.silenced?.length ?? 0) > 0;

/**
 * Finds sources whose webhooks arrive and make nothing: their routes look for something else than their senders post.
 * It writes a row for each source, when its first webhook has made something, or while none has.
 */
export class MadeNothing {
  readonly #sql: SqlStorage;
  /** The routes of sources whose webhooks are known to make something. */
  readonly #fine = new Map<string, number>();

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Counts a new event, in its commit. Returns true if its owner is to be notified of the source. */
  count(acceptance: Acceptance, now: number): boolean {
    const { event, routes } = acceptance;
    const { source } = event;
    if (routes === undefined || this.#fine.get(source) === routes) return false;
    const key = `made:${source}`;
    const text = readFact(this.#sql, key);
    const kept = text === null ? null : parseOwnJson<Kept>(text);
    const before = kept?.routes === routes ? kept : { routes, nothing: 0, toldAt: null };
    const keep = (next: Kept): void => writeFact(this.#sql, key, JSON.stringify(next));
    if (before.nothing === null || hasMade(acceptance)) {
      if (before.nothing !== null) keep({ ...before, nothing: null });
      this.#fine.set(source, routes);
      return false;
    }
    const nothing = Math.min(ENOUGH, before.nothing + 1);
    const isDue = nothing === ENOUGH && (before.toldAt === null || Math.abs(now - before.toldAt) >= DAY);
    if (isDue || nothing !== before.nothing) keep({ routes, nothing, toldAt: isDue ? now : before.toldAt });
    return isDue;
  }
}
