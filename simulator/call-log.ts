import type { SimulatedKind } from './endpoints.ts';

export interface Call {
  /** Counts up from 1; one simulator never uses it twice, not even after a reset. */
  readonly id: number;
  readonly at: string;
  /** Null for a path that is not an endpoint. */
  readonly kind: SimulatedKind | null;
  /** The path below `/api`. */
  readonly endpoint: string;
  readonly to: string | null;
  readonly params: Readonly<Record<string, string>>;
  /** `accepted`, the scripted failure, or `refused:` and a reason. */
  readonly outcome: string;
  /** The HTTP status of the answer; null when there is none. */
  readonly status: number | null;
  /** True if the phone got the message. A call without an answer may well be delivered: that is the hard case. */
  readonly delivered: boolean;
  readonly detail?: string;
}

interface CallFilter {
  readonly since?: number | undefined;
  /** Exact; with `:` at its end, a prefix: `refused:` is every strict refusal. */
  readonly outcome?: string | undefined;
  readonly phone?: string | undefined;
  readonly limit: number;
}

/** The number of calls since the last reset, whether or not they are still kept. */
interface CallTotals {
  readonly total: number;
  /** Accepted normally: outcome `accepted`. */
  readonly accepted: number;
  /** Messages that the phones got, from failed calls too. */
  readonly delivered: number;
}

export type CallLog = ReturnType<typeof createCallLog>;

const NO_CALLS: CallTotals = { total: 0, accepted: 0, delivered: 0 };
const MAX_CALLS = 20_000;
/** 20,000 calls of 1 MiB would not fit into memory. */
const MAX_CHARACTERS = 64 * 1024 * 1024;

/** The newest calls, in memory. `now` is in ms. */
export function createCallLog(now: () => number) {
  const calls = new Map<number, Call>();
  let oldestId = 1; // Ids have no gaps, so the oldest kept call needs no search.
  let lastId = 0;
  let characters = 0;
  let totals = NO_CALLS;
  const listeners = new Set<(call: Call | null) => void>();

  function keepBounds(): void {
    while (calls.size > MAX_CALLS || characters > MAX_CHARACTERS) {
      const oldest = calls.get(oldestId);
      if (!oldest) return;
      characters -= sizeOf(oldest);
      calls.delete(oldestId);
      oldestId += 1;
    }
  }

  return {
    record(fields: Omit<Call, 'id' | 'at'>): Call {
      lastId += 1;
      const call: Call = { id: lastId, at: new Date(now()).toISOString(), ...fields };
      calls.set(call.id, call);
      characters += sizeOf(call);
      totals = count(totals, call);
      keepBounds();
      for (const listener of listeners) listener(call);
      return call;
    },
    list(filter: CallFilter): readonly Call[] {
      const forward = filter.since !== undefined;
      const from = Math.max(oldestId, (filter.since ?? 0) + 1);
      const found: Call[] = [];
      for (let step = 0; step <= lastId - from && found.length < filter.limit; step += 1) {
        const call = calls.get(forward ? from + step : lastId - step);
        if (call && matches(call, filter)) found.push(call);
      }
      return forward ? found : found.toReversed();
    },
    totals: () => totals,
    reset(): void {
      calls.clear();
      oldestId = lastId + 1;
      characters = 0;
      totals = NO_CALLS;
      for (const listener of listeners) listener(null);
    },
    /** `onChange` gets each new call, and null for a reset. Returns a function that stops this. */
    subscribe(onChange: (call: Call | null) => void) {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
  };
}

const count = (totals: CallTotals, call: Call): CallTotals => ({
  total: totals.total + 1,
  accepted: totals.accepted + (call.outcome === 'accepted' ? 1 : 0),
  delivered: totals.delivered + (call.delivered ? 1 : 0),
});

const matches = (call: Call, { outcome, phone }: CallFilter): boolean =>
  (phone === undefined || call.to === phone) &&
  (outcome === undefined ||
    (outcome.endsWith(':') ? call.outcome.startsWith(outcome) : call.outcome === outcome));

const sizeOf = (call: Call): number =>
  Object.values(call.params).reduce((sum, value) => sum + value.length, call.endpoint.length);
