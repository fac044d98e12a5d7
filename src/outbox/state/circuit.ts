import type { AccountPolicy } from '../../config/config.ts';
import type { Outcome } from '../../gateway/outcome.ts';
import { failuresOf, type Standing } from '../../lib/shares.ts';

/**
 * The state of the circuit, which decides whether the gateway is called. Plain data, kept in the outbox across
 * evictions.
 */
export interface Circuit {
  /**
   * The number of calls in a row that the gateway did not answer, or answered with a server error. Failures of a source
   * that cannot prove its sender count up to its share: their texts may be the cause.
   */
  readonly failures: number;
  /** Those of each such source while the circuit is closed; absent: none. */
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
  if (circuit.probeAt === null && standing === 'open') {
    const own = circuit.open?.[source ?? ''] ?? 0;
    if (own >= failuresOf(standing, policy.failures)) return { ...circuit, last };
    const open = { ...circuit.open, [source ?? '']: own + 1 };
    return opened({ ...circuit, open, last }, policy, now);
  }
  return opened({ ...circuit, last }, policy, now);
}

function opened(
  { open, ...circuit }: Circuit,
  { failures: most, probeMs }: AccountPolicy['circuit'],
  now: number,
): Circuit {
  const failures = circuit.failures + 1;
  return circuit.probeAt !== null || failures >= most
    ? { ...circuit, failures, probeAt: now + probeMs * backoff(failures - most) }
    : { ...circuit, failures, ...(open !== undefined && { open }) };
}
