import * as z from 'zod/mini';
import { recordOf } from '../../schema/parts.ts';
import { Counts, LAST, type Totals } from '../../counts/counts.ts';
import { parseSeries, type KeptSeries, type Series } from '../../counts/series.ts';
import { ATTEMPT_BOUNDS, bucketOf, LATENCY_BOUNDS } from '../../counts/histogram.ts';
import type { AcceptedEvent } from '../state/acceptance.ts';

/** How many sources of an account have their own counters; the rest share those of {@link OTHER}. */
export const MAX_SOURCES = 200;

/** Used in place of a source's name, which cannot begin with `_`. */
export const OTHER = '_other';
/** Messages that a person sent through the admin API. */
export const BY_HAND = '_admin';

/** How many messages are counted again at most when the object starts. */
const MAX_UNKEPT = 1_000;

/** The counters as a row has them. */
export interface Kept {
  readonly totals: Totals;
  /** Messages from this number on are not in the totals. */
  readonly nextSeq: number;
  /** Attempts that were under way, by message and number: they are not in the totals. */
  readonly open: readonly AttemptKey[];
  /** Null: it cannot be read. */
  readonly series: KeptSeries | null;
}

export type AttemptKey = readonly [seq: number, n: number];

const totalsSchema = recordOf(z.number());
const numbers = z.array(z.number());

/**
 * The counters of a row; null when this code cannot read them. Counters may start again from zero; the outbox must not
 * fail.
 */
export function parseKept(text: string): Kept | null {
  try {
    const [totals, nextSeq, open, series] = z.array(z.unknown()).parse(JSON.parse(text));
    return {
      totals: totalsSchema.parse(totals),
      nextSeq: z.number().parse(nextSeq),
      open: z
        .array(numbers)
        .parse(open)
        .map(([seq = 0, n = 0]) => [seq, n]),
      series: parseSeries(series),
    };
  } catch {
    return null;
  }
}

/** What is counted by time as well. `failed`: dead, expired or uncertain. */
export const SERIES_METRICS = ['events', 'messages', 'sent', 'failed', 'duplicates'] as const;
type SeriesMetric = (typeof SERIES_METRICS)[number];

const FAILED: ReadonlySet<string> = new Set(['dead', 'expired', 'uncertain']);

/** One call to the gateway, as its message's row has it. `at` (ms): when it began. */
interface CountedAttempt {
  readonly at: number;
  readonly outcome: string;
  readonly duration_ms: number;
  readonly http_status?: number;
}

/**
 * What an outbox has counted since it was made. The counters cost no extra row: they are kept in the claim's row. A
 * restart counts what happened since then from the rows of messages (`recount.ts`). Where those do not show it, the
 * counters are kept in the same commit, see {@link mustKeep}.
 */
export class Counters {
  readonly #counts: Counts;
  readonly #sources: Set<string>;
  /** Null: nobody reads it. */
  readonly #series: Series | null;
  #nextSeq: number;
  #keptSeq: number;
  #mustKeep = false;
  #isChanged = false;

  constructor({ totals, nextSeq }: Pick<Kept, 'totals' | 'nextSeq'>, series: Series | null = null) {
    this.#series = series;
    this.#counts = new Counts(totals);
    this.#sources = new Set(['event', 'duplicate', 'message'].flatMap((kind) => this.#named(kind)));
    this.#nextSeq = nextSeq;
    this.#keptSeq = nextSeq;
  }

  /** Whether they must be kept in this commit: something was counted that no row shows. */
  get mustKeep(): boolean {
    return this.#mustKeep || this.#nextSeq - this.#keptSeq >= MAX_UNKEPT;
  }

  /** Whether anything was counted since they were kept. */
  get isChanged(): boolean {
    return this.#isChanged;
  }

  get totals(): Totals {
    return this.#counts.toJSON();
  }

  /** When a source sent its last webhook (ms); null: never. */
  lastEventAt(source: string): number | null {
    return this.#counts.get(LAST, source) || null;
  }

  /** An event was accepted. */
  event(event: Pick<AcceptedEvent, 'source' | 'state' | 'receivedAt' | 'replay'>): void {
    const source = this.#label(event.source);
    this.#add(1, 'event', source, event.state);
    this.#inTime('events', event.receivedAt, source);
    // A replay does not show that its source still sends.
    if (event.replay === null) this.#counts.last(event.receivedAt, source);
  }

  duplicate(source: string, now: number): void {
    const label = this.#label(source);
    this.#add(1, 'duplicate', label);
    this.#inTime('duplicates', now, label);
    this.#counts.last(now, label);
    this.#mustKeep = true;
  }

  /** Messages were queued at a time (ms). `source` null: by hand. */
  queued(source: string | null, messages: number, at: number): void {
    if (messages === 0) return;
    const label = this.#label(source);
    this.#add(messages, 'message', label, 'queued');
    this.#inTime('messages', at, label, messages);
  }

  /** All messages before this number are counted. */
  countedTo(nextSeq: number): void {
    this.#nextSeq = Math.max(this.#nextSeq, nextSeq);
  }

  /** An attempt was recorded. `state`: its message's new state; `latencyMs`: null unless it is sent. */
  attempt(source: string | null, attempt: CountedAttempt, state: string, latencyMs: number | null): void {
    const { outcome, duration_ms: ms, http_status: status } = attempt;
    this.#add(1, 'attempt', outcome);
    // No call was made when credentials are missing; none was measured when the object stopped.
    if (status !== undefined || ms > 0) this.#observe(['took', outcome], ATTEMPT_BOUNDS, ms);
    // A refused login puts the message back to `queued`, where it was counted already.
    if (state !== 'queued') this.#state(source, state, attempt.at + ms);
    if (latencyMs !== null) this.#observe(['latency'], LATENCY_BOUNDS, latencyMs);
  }

  /** A digest was sent. */
  digest(): void {
    this.#add(1, 'digest');
  }

  /** A message reached a state without an attempt, at a time (ms): `expired`, `cancelled`. */
  reached(source: string | null, state: string, at: number): void {
    this.#state(source, state, at);
    this.#mustKeep = true;
  }

  /** A restart could not count this again from the rows: see {@link mustKeep}. */
  keepNow(): void {
    this.#mustKeep = true;
  }

  /** Frees capacity once there are many: forgets sources that are not configured any more. */
  forgetSources(isConfigured: (source: string) => boolean): void {
    if (this.#sources.size <= MAX_SOURCES / 2) return;
    for (const source of this.#sources) if (!isConfigured(source)) this.#sources.delete(source);
    const shared = new Set([OTHER, BY_HAND]);
    const hasNone = new Set(['attempt', 'took', 'latency', 'digest']);
    this.#counts.keepOnly(
      ([kind = '', source = '']) => hasNone.has(kind) || shared.has(source) || this.#sources.has(source),
    );
  }

  /** The text for a row; it counts as kept from now on. */
  keep(open: readonly AttemptKey[]): string {
    this.#mustKeep = false;
    this.#isChanged = false;
    this.#keptSeq = this.#nextSeq;
    return JSON.stringify([this.#counts, this.#nextSeq, open, this.#series?.keep()]);
  }

  #state(source: string | null, state: string, at: number): void {
    const label = this.#label(source);
    this.#add(1, 'message', label, state);
    if (state === 'sent') this.#inTime('sent', at, label);
    if (FAILED.has(state)) this.#inTime('failed', at, label);
  }

  #inTime(metric: SeriesMetric, at: number, label: string, amount = 1): void {
    this.#series?.add(at, amount, metric, label);
  }

  #add(amount: number, ...path: readonly string[]): void {
    this.#isChanged = true;
    this.#counts.add(amount, ...path);
  }

  #observe(path: readonly string[], bounds: readonly number[], ms: number): void {
    this.#add(1, ...path, bucketOf(bounds, ms / 1_000));
    this.#add(ms, ...path, 'ms');
  }

  #label(source: string | null): string {
    if (source === null) return BY_HAND;
    if (this.#sources.has(source)) return source;
    if (this.#sources.size >= MAX_SOURCES) return OTHER;
    this.#sources.add(source);
    return source;
  }

  #named(kind: string): readonly string[] {
    return this.#counts
      .of(kind)
      .flatMap(([[source]]) => (source === undefined || source.startsWith('_') ? [] : [source]));
  }
}
