import type { AccountPolicy } from '../../config/compiled/config.ts';
import type { AttemptResult } from '../../gateway/client.ts';
import type { Outcome } from '../../gateway/outcome.ts';
import { reasonIn, type Reason } from '../../lib/reason.ts';
import { isAny } from '../../lib/store.ts';
import { failuresOf, numberOf, type Standing } from '../../lib/shares.ts';
import type { Attempt } from './message.ts';

export interface Circuit {
  /** Calls in a row that the gateway did not answer, or answered with a server error. */
  readonly failures: number;
  /** Of each open source, while it is closed: beyond its share they do not open it, as their texts may be the cause. */
  readonly open?: Readonly<Record<string, number>> | undefined;
  /** Null if it is closed. Open: no call before this time (ms), then one at a time until one succeeds. */
  readonly probeAt: number | null;
  /** The last of these failures. */
  readonly last?: (Reason & { readonly at: number }) | undefined;
}

export const CLOSED: Circuit = { failures: 0, probeAt: null };

const FAILURES: ReadonlySet<Outcome> = new Set(['unreachable', 'uncertain', 'server_error']);

/** A gateway that stays down is probed more rarely, since each probe costs rows: up to this many times `probe`. */
export const MAX_BACKOFF = 10;

/** The first probes keep the account's own interval: most outages are short. */
export const STEADY_PROBES = 10;

const backoff = (probes: number): number => Math.min(MAX_BACKOFF, 2 ** Math.max(0, probes - STEADY_PROBES));

/** An urgent message probes this long after the last failure (ms): its own retries come more and more rarely. */
const URGENT_PROBE_MS = 3_000;

/** When a message of a standing probes next (ms); null if the circuit is closed. */
export const probeAtFor = ({ probeAt, last }: Circuit, standing: Standing): number | null =>
  probeAt !== null && standing === 'urgent' && last !== undefined
    ? Math.min(probeAt, last.at + URGENT_PROBE_MS)
    : probeAt;

/** Failures in a row open it, but not those of one open source alone; any other answer closes it. */
export function afterCall(
  circuit: Circuit,
  call: AttemptResult,
  { source, standing }: { readonly source: string | null; readonly standing: Standing },
  policy: AccountPolicy['circuit'],
  now: number,
): Circuit {
  // For its message, a 503 is `busy`: the message waits as long as the gateway says. For the account, it is a server
  // error.
  const failed = FAILURES.has(call.outcome) || call.http_status === 503;
  // Neither a failure nor an answer: the call was never made (missing credentials, or not a valid call).
  if (!failed || call.outcome === 'sent') return call.http_status === undefined ? circuit : CLOSED;
  const last = { at: now, ...reasonIn(call) };
  const failures = circuit.failures + 1;
  const name = source ?? '';
  const open =
    standing === 'open' ? { ...circuit.open, [name]: (circuit.open?.[name] ?? 0) + 1 } : circuit.open;
  const most = failuresOf('open', policy.failures);
  const beyond = Object.values(open ?? {}).reduce((sum, own) => sum + Math.max(0, own - most), 0);
  // An open circuit has forgotten what did not open it: each probe counts.
  const counted = failures - (circuit.probeAt === null ? beyond : 0);
  if (circuit.probeAt === null && counted < policy.failures)
    return { failures, probeAt: null, last, ...(open !== undefined && { open }) };
  const wait = policy.probeMs * backoff(counted - policy.failures);
  return { failures: counted, probeAt: now + wait, last };
}

/**
 * A message that was forbidden since one was sent. A 403 may be about the account, or only about this message, if a
 * gateway's firewall blocks its text. So it only puts its message behind the others, and their outcomes show which of
 * the two it is. The account is paused if two independent messages were forbidden, and then the most urgent one, too.
 */
interface Witness {
  /** Its event, or stands for it. */
  readonly event: string;
  readonly text: number;
  readonly source: string | null;
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
export function withWitness(known: Forbidden | null, one: Witness, areSeveral: boolean, now: number) {
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

/** A message that was forbidden this many times, while others were sent, is not tried again. */
export const MAX_FORBIDDEN = 3;

/** How often a message was forbidden so far, and when first (ms); null if never. */
export function forbiddenSoFar(attempts: readonly Attempt[]): { count: number; since: number } | null {
  const forbidden = attempts.filter(({ outcome }) => outcome === 'forbidden');
  const [first] = forbidden;
  return first === undefined ? null : { count: forbidden.length, since: first.at };
}

/** Of the newest messages, so many are searched: an account that works sends all the time. */
const NEWEST = 500;

/** Among so many another source is looked for: a flood must not hide it. */
const MOST_LOOKED_AT = 20_000;

export const isOtherSource = (sql: SqlStorage, source: string | null): boolean =>
  isAny(
    sql,
    `SELECT 1 FROM (SELECT source FROM messages ORDER BY seq DESC LIMIT ${MOST_LOOKED_AT}) WHERE source IS NOT ? LIMIT 1`,
    source,
  );

/** True if an urgent message that may be sent was not tried yet: its answer comes before any conclusion. */
export const isUrgentUntried = (sql: SqlStorage, now: number): boolean =>
  isAny(
    sql,
    `SELECT 1 FROM messages WHERE standing = ${numberOf('urgent')} AND next_at <= ? AND attempts = '[]' LIMIT 1`,
    now,
  );

export const isOtherSent = (sql: SqlStorage, since: number): boolean =>
  isAny(
    sql,
    `SELECT 1 FROM (SELECT sent_at FROM messages ORDER BY seq DESC LIMIT ${NEWEST}) WHERE sent_at > ? LIMIT 1`,
    since,
  );
