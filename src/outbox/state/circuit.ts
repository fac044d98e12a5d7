import type { AccountPolicy } from '../../config/compiled/config.ts';
import type { Outcome } from '../../gateway/outcome.ts';
import { failuresOf, type Standing } from '../../lib/shares.ts';

/**
 * The state of the circuit, which decides whether the gateway is called. Plain data, kept in the outbox across
 * evictions.
 */
export interface Circuit {
  /** The number of calls in a row that the gateway did not answer, or answered with a server error. */
  readonly failures: number;
  /**
   * Those of each source that cannot prove its sender, while the circuit is closed; absent: none. Beyond its share they
   * do not open it: their texts may be the cause.
   */
  readonly open?: Readonly<Record<string, number>> | undefined;
  /**
   * Null if it is closed. Otherwise it is open: no call before this time (ms), then one at a time until one succeeds.
   */
  readonly probeAt: number | null;
  /** The last of these failures (`at` in ms); absent: there is none, or it was not kept. */
  readonly last?: { readonly at: number; readonly detail: string } | undefined;
}

export const CLOSED: Circuit = { failures: 0, probeAt: null };

const FAILURES: ReadonlySet<Outcome> = new Set(['unreachable', 'uncertain', 'server_error']);

/**
 * A gateway that stays down is probed more and more rarely, since each probe costs rows. The wait grows to at most this
 * many times `probe`.
 */
export const MAX_BACKOFF = 10;

/** The first probes keep the account's own interval: most outages are short. */
export const STEADY_PROBES = 10;

const backoff = (probes: number): number => Math.min(MAX_BACKOFF, 2 ** Math.max(0, probes - STEADY_PROBES));

/** An urgent message probes this long after the last failure (ms): its own retries come more and more rarely. */
const URGENT_PROBE_MS = 3_000;

/** Returns the time of the next probe by a message of a standing (ms); null if the circuit is closed. */
export const probeAtFor = ({ probeAt, last }: Circuit, standing: Standing): number | null =>
  probeAt !== null && standing === 'urgent' && last !== undefined
    ? Math.min(probeAt, last.at + URGENT_PROBE_MS)
    : probeAt;

/** The message of a call. */
interface Caller {
  readonly source: string | null;
  readonly standing: Standing;
}

/**
 * The circuit after a call: failures in a row open it, but not those of one source alone that cannot prove its sender;
 * any other answer closes it, since the gateway works.
 */
export function afterCall(
  circuit: Circuit,
  call: { readonly outcome: Outcome; readonly http_status?: number; readonly detail: string },
  { source, standing }: Caller,
  policy: AccountPolicy['circuit'],
  now: number,
): Circuit {
  // For its message, a 503 is `busy`: the message waits as long as the gateway says. For the account, it is a server
  // error.
  const failed = FAILURES.has(call.outcome) || call.http_status === 503;
  // Neither a failure nor an answer: the call was never made (missing credentials, or not a valid call).
  if (!failed) return call.http_status === undefined ? circuit : CLOSED;
  const last = { at: now, detail: call.detail };
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
