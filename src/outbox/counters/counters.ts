import {
  LAST,
  OF_SOURCES,
  type CountPath,
  type Totals,
  ATTEMPT_BOUNDS,
  bucketOf,
  LATENCY_BOUNDS,
} from '../../counts/counts.ts';
import { newSeries, Series, STEP_MS, type KeptSeries } from '../../counts/series.ts';
import { eventIdFloor } from '../../lib/id.ts';
import { parseOwnJson } from '../../lib/json.ts';
import type { AcceptedEvent } from '../state/acceptance.ts';
import { readFact, writeFact } from '../state/meta.ts';
import { isDigest, type Attempt, type MessageRow } from '../state/message.ts';

/** The number of sources of an account with their own counters; the rest share those of {@link OTHER}. */
export const MAX_SOURCES = 200;

/** Used in place of a source's name, since a name cannot begin with `_`. */
export const OTHER = '_other';
/** Messages that a person sent through the admin API. */
export const BY_HAND = '_admin';

export const ALL_COUNTERS = 'counters';

/** The maximum length of the changes since everything was last written: they are written with each claim. */
const MAX_SINCE = 4_096;

/** The metrics that are also counted over time. `failed`: dead, expired or uncertain. */
export const SERIES_METRICS = ['events', 'messages', 'sent', 'failed', 'duplicates'] as const;
type SeriesMetric = (typeof SERIES_METRICS)[number];

/** The metrics that can be read over time. The registry counts `rejected`, without accounts. */
export const METRICS = [...SERIES_METRICS, 'rejected'] as const;

type OfSource = Extract<CountPath, readonly [unknown, source: string, ...unknown[]]>;

const FAILED: ReadonlySet<string> = new Set(['dead', 'expired', 'uncertain']);

/** One call to the gateway, as its message's row has it. `at` (ms): when it began. */
type CountedAttempt = Pick<Attempt, 'at' | 'duration_ms' | 'http_status'> & { readonly outcome: string };

type Counted = Pick<MessageRow, 'source' | 'about'>;

/** Begins the key for a step of the series, among the counts since everything was written. */
const STEP_KEY = '@';

/**
 * A row has all counts; the checkpoint has the changes since then, at no cost. A start counts the calls of the checkpoint
 * that have a record by now; a crash may lose what else was counted in the last minute.
 */
export class Counters {
  /** The counts when all were last written. */
  #all: Map<string, number>;
  /** The counts since then, with those of the series by {@link STEP_KEY} and a step. */
  readonly #since: Map<string, number>;
  readonly #sources = new Set<string>();
  /** Null if nobody reads it. */
  readonly #series: Series | null;
  #isUnkept = false;
  /** True if everything must be written the next time. */
  #isAllDue = false;
  #isAllWritten = false;

  constructor(all: Totals = {}, since: Totals = {}, series: Series | null = null) {
    this.#series = series;
    this.#all = new Map(Object.entries(all));
    this.#since = new Map(Object.entries(since));
    for (const [key, amount] of this.#since) {
      const [step = '', metric = '', label = ''] = key.split(' ');
      if (step.startsWith(STEP_KEY))
        series?.add(Number(step.slice(STEP_KEY.length)) * STEP_MS, amount, metric, label);
    }
    for (const key of this.#merged().keys()) {
      const [kind = '', source = '_'] = key.split(' ');
      if (isOfSource(kind) && !source.startsWith('_')) this.#sources.add(source);
    }
  }

  /** True if something is not on disk that a start cannot count again. */
  get isUnkept(): boolean {
    return this.#isUnkept;
  }

  get totals(): Totals {
    return Object.fromEntries(this.#merged());
  }

  #merged(): Map<string, number> {
    const merged = new Map(this.#all);
    for (const [key, amount] of this.#since) if (!key.startsWith(STEP_KEY)) addTo(merged, key, amount);
    return merged;
  }

  lastEventAt(source: string): number | null {
    const key = `${LAST} ${source}`;
    return Math.max(this.#since.get(key) ?? 0, this.#all.get(key) ?? 0) || null;
  }

  /** When a webhook of any source was last known to come (ms); 0: never. */
  get newestHeard(): number {
    const times = [...this.#merged()].filter(([key]) => key.startsWith(`${LAST} `));
    return Math.max(0, ...times.map(([, at]) => at));
  }

  event(event: Pick<AcceptedEvent, 'source' | 'state' | 'receivedAt' | 'replay' | 'isPress'>): void {
    const source = this.#label(event.source);
    this.#came('events', event.receivedAt, ['event', source, event.state]);
    // Neither a replay nor a press shows that its source still sends.
    if (event.replay === null && event.isPress !== true) this.heard(event.receivedAt, event.source);
  }

  duplicate(source: string, now: number): void {
    this.#came('duplicates', now, ['duplicate', this.#label(source)]);
    this.heard(now, source);
  }

  queued(source: string | null, messages: number, at: number): void {
    if (messages > 0) this.#came('messages', at, ['message', this.#label(source), 'queued'], messages);
  }

  /** A start can count it again. `state`: its message's new one; `latencyMs`: null unless it is sent. */
  attempt(message: Counted, attempt: CountedAttempt, state: string, latencyMs: number | null): void {
    const { outcome, duration_ms: ms, http_status: status } = attempt;
    this.#add(1, 'attempt', outcome);
    if (state === 'sent' && isDigest(message)) this.#add(1, 'digest');
    // No call was made if credentials are missing, and none was measured if the object stopped.
    if (status !== undefined || ms > 0)
      this.#observe((bucket) => ['took', outcome, bucket], ATTEMPT_BOUNDS, ms);
    // A refused login puts the message back to `queued`, a state that was counted already.
    if (state !== 'queued') this.#state(message.source, state, attempt.at + ms);
    if (latencyMs !== null) this.#observe((bucket) => ['latency', bucket], LATENCY_BOUNDS, latencyMs);
  }

  /** A message reached a state without an attempt, at a time (ms): `expired`, `cancelled`. */
  reached(source: string | null, state: string, at: number): void {
    this.#isUnkept = true;
    this.#state(source, state, at);
  }

  escape(outcome: 'taken' | 'failed', messages: number): void {
    this.#isUnkept = true;
    this.#add(messages, 'escape', outcome);
  }

  forgetSources(isConfigured: (source: string) => boolean): void {
    if (this.#sources.size <= MAX_SOURCES / 2) return;
    for (const source of this.#sources) if (!isConfigured(source)) this.#sources.delete(source);
    const kept = new Set([OTHER, BY_HAND, ...this.#sources]);
    this.#fold();
    for (const key of this.#all.keys()) {
      const [kind = '', source = ''] = key.split(' ');
      if (kind === LAST ? !isConfigured(source) : isOfSource(kind) && !kept.has(source))
        this.#all.delete(key);
    }
    this.#isAllDue = true;
  }

  /** The text for the checkpoint. If everything is due, it is written in the same transaction. Then call {@link written}. */
  write(sql: SqlStorage): string {
    const text = JSON.stringify(Object.fromEntries(this.#since));
    this.#isAllWritten = this.#isAllDue || text.length > MAX_SINCE || this.#series?.isHourOver === true;
    if (!this.#isAllWritten) return text;
    writeFact(sql, ALL_COUNTERS, JSON.stringify([this.totals, this.#series?.keep()]));
    return '{}';
  }

  written(): void {
    this.#isUnkept = false;
    if (!this.#isAllWritten) return;
    this.#isAllDue = false;
    this.#fold();
    this.#series?.kept();
  }

  #fold(): void {
    this.#all = this.#merged();
    this.#since.clear();
  }

  #state(source: string | null, state: string, at: number): void {
    const label = this.#label(source);
    this.#add(1, 'message', label, state);
    if (state === 'sent') this.#inTime('sent', at, label);
    if (FAILED.has(state)) this.#inTime('failed', at, label);
  }

  #came(metric: SeriesMetric, at: number, path: OfSource, amount = 1): void {
    this.#isUnkept = true;
    this.#add(amount, ...path);
    this.#inTime(metric, at, path[1], amount);
  }

  #inTime(metric: SeriesMetric, at: number, label: string, amount = 1): void {
    if (this.#series === null) return;
    const step = Math.floor(this.#series.add(at, amount, metric, label) / STEP_MS);
    addTo(this.#since, `${STEP_KEY}${step} ${metric} ${label}`, amount);
  }

  /** Of each source: a configuration names at most some ten thousand, and a shared time would prove nothing of any. */
  heard(at: number, source: string): void {
    addTo(this.#since, `${LAST} ${source}`, at);
  }

  #add(amount: number, ...path: CountPath): void {
    addTo(this.#since, path.join(' '), amount);
  }

  #observe(pathOf: (bucket: string) => CountPath, bounds: readonly number[], ms: number): void {
    this.#add(1, ...pathOf(bucketOf(bounds, ms / 1_000)));
    this.#add(ms, ...pathOf('ms'));
  }

  #label(source: string | null): string {
    if (source === null) return BY_HAND;
    if (this.#sources.has(source)) return source;
    if (this.#sources.size >= MAX_SOURCES) return OTHER;
    this.#sources.add(source);
    return source;
  }
}

const isOfSource = (kind: string): boolean => OF_SOURCES.some((one) => one === kind);

/** Adds to a sum, or keeps the newest time of a source. */
function addTo(sums: Map<string, number>, key: string, amount: number): void {
  const sum = sums.get(key) ?? 0;
  sums.set(key, key.startsWith(`${LAST} `) ? Math.max(sum, amount) : sum + amount);
}

type Attempted = Readonly<Record<'seq' | 'n', number>>;

/** What the checkpoint has. */
interface Kept {
  readonly counted: string | null;
  readonly flight: readonly Attempted[];
}

/** As they were when the object stopped: those of the checkpoint, and the calls of its flight that have a record. */
export function restoreCounters(sql: SqlStorage, { counted = null, flight = [] }: Partial<Kept>) {
  const all = readFact(sql, ALL_COUNTERS);
  const [totals, kept] = parseOwnJson<readonly [Totals, KeptSeries | null]>(all ?? '[{},null]');
  const series = new Series(sql, kept ?? newSeries(0));
  const counters = new Counters(totals, parseOwnJson<Totals>(counted ?? '{}'), series);
  for (const attempted of flight) countAttempt(sql, counters, attempted);
  // A count may be lost in a crash, but no owner is told for it that a source is silent: newer events say when it came.
  const newest = sql.exec<{ source: string; at: number }>(HEARD, eventIdFloor(counters.newestHeard));
  for (const { source, at } of newest) counters.heard(at, source);
  return { counters, series };
}

/** The number of events that a start reads at most for when their sources were heard. */
const MOST_HEARD = 1_000;

const HEARD = `SELECT source, max(received_at) AS at FROM (
  SELECT source, received_at FROM events
    WHERE id >= ? AND replay_of IS NULL AND coalesce(type, '') NOT LIKE 'action.%'
    ORDER BY id DESC LIMIT ${MOST_HEARD}) GROUP BY source`;

type TriedRow = Counted & Pick<MessageRow, 'state' | 'attempts' | 'sent_at'> & { accepted_at: number };

/** One without a record was interrupted: it is counted when that is recorded. */
function countAttempt(sql: SqlStorage, counters: Counters, { seq, n }: Attempted): void {
  const row = sql
    .exec<TriedRow>(
      `SELECT m.source, m.state, m.attempts, m.about, m.sent_at, coalesce(e.received_at, m.created_at) AS accepted_at
         FROM messages m LEFT JOIN events e ON e.id = m.event_id WHERE m.seq = ?`,
      seq,
    )
    .toArray()[0];
  if (row === undefined) return;
  const attempts = parseOwnJson<readonly Attempt[]>(row.attempts);
  const attempt = attempts.find((one) => one.n === n);
  if (attempt === undefined) return;
  // If there are later attempts, the row has a later state, and this attempt left the message waiting.
  const isLast = attempt === attempts.at(-1);
  const earlier = attempt.outcome === 'unauthorized' ? 'queued' : 'retrying';
  const latency = isLast && row.sent_at !== null ? Math.max(0, row.sent_at - row.accepted_at) : null;
  counters.attempt(row, attempt, isLast ? row.state : earlier, latency);
}
