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

export type CallLog = ReturnType<typeof createCallLog>;

/** Counts since the last reset. `delivered`: messages that the phones got, from failed calls too. */
const NO_CALLS = { total: 0, accepted: 0, delivered: 0 };
const MAX_CALLS = 20_000;
/** 20,000 calls of 1 MiB would not fit into memory. */
const MAX_CHARACTERS = 64 * 1024 * 1024;

/** The newest calls, in memory. `now` is in ms. */
export function createCallLog(now: () => number) {
  const calls = new Map<number, Call>();
  let lastId = 0;
  let characters = 0;
  let totals = NO_CALLS;
  const listeners = new Set<(call: Call | null) => void>();

  function keepBounds(): void {
    for (const oldest of calls.values()) {
      if (calls.size <= MAX_CALLS && characters <= MAX_CHARACTERS) return;
      characters -= sizeOf(oldest);
      calls.delete(oldest.id);
    }
  }

  return {
    record(fields: Omit<Call, 'id' | 'at'>): Call {
      lastId += 1;
      const call: Call = { id: lastId, at: new Date(now()).toISOString(), ...fields };
      calls.set(call.id, call);
      characters += sizeOf(call);
      totals = {
        total: totals.total + 1,
        accepted: totals.accepted + (call.outcome === 'accepted' ? 1 : 0),
        delivered: totals.delivered + (call.delivered ? 1 : 0),
      };
      keepBounds();
      for (const listener of listeners) listener(call);
      return call;
    },
    list(filter: CallFilter): readonly Call[] {
      const { since, limit } = filter;
      const found = [...calls.values()].filter((call) => call.id > (since ?? 0) && matches(call, filter));
      return since === undefined ? found.slice(Math.max(0, found.length - limit)) : found.slice(0, limit);
    },
    totals: () => totals,
    reset(): void {
      calls.clear();
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

const matches = (call: Call, { outcome, phone }: CallFilter): boolean =>
  (phone === undefined || call.to === phone) &&
  (outcome === undefined ||
    (outcome.endsWith(':') ? call.outcome.startsWith(outcome) : call.outcome === outcome));

const sizeOf = (call: Call): number =>
  Object.values(call.params).reduce((sum, value) => sum + value.length, call.endpoint.length);
