import type { Scope } from '../template/basics/scope.ts';

/** An item or incident as the templates of what is told see it. Times are ISO 8601. */
export interface ToldElement {
  /** The value in the webhook. */
  readonly item: unknown;
  /** The event that it came with last. */
  readonly event: Scope['event'];
  readonly opened_at: string;
  /** Null: it burns. */
  readonly ended_at: string | null;
  /** How long it burned, or has burned until it is told (ms). */
  readonly burned_ms: number;
  /** How often it fired. */
  readonly times: number;
  /** Null: it is no incident. */
  readonly key: string | null;
  readonly flapping: boolean;
  /** How often it began and ended lately. */
  readonly changes: number;
}

/** What a message or a digest tells. The lists have the oldest first. */
export interface ToTell {
  /** All that burn, or the newest of them. */
  readonly burning: readonly ToldElement[];
  /** How many burn, where `burning` has not all of them. */
  readonly count?: number;
  /** New since the last message. */
  readonly fresh: readonly ToldElement[];
  /** Ended since the last message. */
  readonly ended: readonly ToldElement[];
  /** How many of those that burn a template sees. */
  readonly max: number;
  /** How many others began and ended since the last message, and were not told; absent: none. */
  readonly missed?: number;
  /** Of a digest: from when on it tells, ISO 8601. */
  readonly since?: string;
  /** One incident or item by itself, without a group. */
  readonly single: boolean;
}

/** When and of which source it is told, and the newest event's parts where they are kept. */
export interface ToldAt extends Partial<Pick<Scope, 'payload' | 'headers' | 'query'>> {
  /** ISO 8601. */
  readonly at: string;
  readonly source: string;
}

/** What the template of a message or a digest sees when it is due. */
export function toldScope(tell: ToTell, { at, source, payload, headers = {}, query = {} }: ToldAt): Scope {
  const { burning, fresh, ended, max, missed, since, single } = tell;
  const items = burning.slice(-max);
  const count = tell.count ?? burning.length;
  const newest = burning.at(-1) ?? fresh.at(-1) ?? ended.at(-1);
  const names = {
    ...(single && newest),
    items,
    fresh,
    ended,
    count,
    more: count - items.length,
    first: items[0],
    last: items.at(-1),
    ...(since !== undefined && { since, missed: missed ?? 0 }),
  };
  const event = newest?.event ?? { id: '', type: null, source, received_at: at, dedupe_key: null };
  const parts = single ? { payload, headers, query } : { payload: undefined, headers: {}, query: {} };
  return { ...parts, event, told: { at, names } };
}
