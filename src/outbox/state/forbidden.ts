import { numberOf } from '../../lib/shares.ts';
import type { Attempt } from './message.ts';

/**
 * A 403 may be about the account, or only about this message, if a gateway's firewall blocks its text. So a 403 only puts
 * its message behind the others, and their outcomes show which of the two it is. The account is paused if two messages
 * that are independent of each other were forbidden, and then the most urgent one, too.
 */

/** A message that was forbidden since one was sent. */
export interface Witness {
  /** Its event, or stands for it. */
  readonly event: string;
  /** The hash of its parameters. */
  readonly text: number;
  readonly source: string | null;
  /** True if its source cannot prove its sender. */
  readonly isOpen: boolean;
}

/** The 403s since a message was sent. */
export interface Forbidden {
  readonly witnesses: readonly Witness[];
  /** The time since when two of them are independent (ms); null if none are. */
  readonly since: number | null;
}

/** Witnesses that are kept, the newest of open sources and of others. */
const MAX_WITNESSES = 4;

/** `areSeveral`: true if more than one source sends. */
export function withWitness(
  known: Forbidden | null,
  one: Witness,
  areSeveral: boolean,
  now: number,
): Forbidden {
  const { witnesses = [], since = null } = known ?? {};
  const isSecond = witnesses.some((other) => areIndependent(one, other, areSeveral));
  const kept = [...witnesses, one].filter(
    ({ isOpen }, at, all) =>
      all.slice(at + 1).filter((later) => later.isOpen === isOpen).length < MAX_WITNESSES,
  );
  return { witnesses: kept, since: since ?? (isSecond ? now : null) };
}

/** Two texts of a stranger show nothing about the account, nor do two copies of a text. */
const areIndependent = (one: Witness, other: Witness, areSeveral: boolean): boolean =>
  one.event !== other.event &&
  one.text !== other.text &&
  !(one.isOpen && other.isOpen) &&
  !(areSeveral && one.source === other.source);

export const ACCOUNT_FORBIDDEN =
  'the gateway answered 403 to messages of different events, then to the most urgent one, and sent none in between';

/** A message that was forbidden this many times, while others were sent, is not tried again. */
export const MAX_FORBIDDEN = 3;

/** Returns the number of times that a message was forbidden so far, and the first time (ms); null if never. */
export function forbiddenSoFar(attempts: readonly Attempt[]): { count: number; since: number } | null {
  const forbidden = attempts.filter(({ outcome }) => outcome === 'forbidden');
  const [first] = forbidden;
  return first === undefined ? null : { count: forbidden.length, since: first.at };
}

/** The number of the newest messages that are searched: an account that works sends all the time. */
const NEWEST = 500;

/** The number of the newest messages among which another source is looked for: a flood must not hide it. */
const MOST_LOOKED_AT = 20_000;

/** True if another source than this one sends, too. */
export const isOtherSource = (sql: SqlStorage, source: string | null): boolean =>
  sql
    .exec(
      `SELECT 1 FROM (SELECT source FROM messages ORDER BY seq DESC LIMIT ${MOST_LOOKED_AT}) WHERE source IS NOT ? LIMIT 1`,
      source,
    )
    .toArray().length > 0;

/** True if an urgent message that may be sent was not tried yet: its answer comes before any conclusion. */
export const isUrgentUntried = (sql: SqlStorage, now: number): boolean =>
  sql
    .exec(
      `SELECT 1 FROM messages WHERE standing = ${numberOf('urgent')} AND next_at <= ? AND attempts = '[]' LIMIT 1`,
      now,
    )
    .toArray().length > 0;

/** True if another message was sent after `since` (ms). */
export const isOtherSent = (sql: SqlStorage, since: number): boolean =>
  sql
    .exec(
      `SELECT 1 FROM (SELECT sent_at FROM messages ORDER BY seq DESC LIMIT ${NEWEST}) WHERE sent_at > ? LIMIT 1`,
      since,
    )
    .toArray().length > 0;
