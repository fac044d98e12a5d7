import type { IncidentAnswer, Message } from '../../api/types.ts';

const HOUR = 3_600_000;

export const RANGES = {
  '1h': { ms: HOUR, stepMs: HOUR / 12, step: '5m' },
  '24h': { ms: 24 * HOUR, stepMs: HOUR, step: '1h' },
  '7d': { ms: 168 * HOUR, stepMs: 6 * HOUR, step: '6h' },
};

export const RANGE_NAMES = ['1h', '24h', '7d'] as const;
export type RangeName = (typeof RANGE_NAMES)[number];
type Range = (typeof RANGES)[RangeName];

/** The start and the end of a range at a time (ms): whole steps, up to the one that has begun. */
export function spanOf({ ms, stepMs }: Range, now: number) {
  const to = Math.ceil(now / stepMs) * stepMs;
  return { from: to - ms, to };
}

/** The share of sent messages among the sent and the failed ones; null if there are neither. */
export const successOf = (sent: readonly number[], failed: readonly number[]): readonly (number | null)[] =>
  sent.map((value, at) => {
    const all = value + (failed[at] ?? 0);
    return all === 0 ? null : value / all;
  });

/** The value below which this share of all lies, of sorted values; null without values. */
function quantile(sorted: readonly number[], share: number): number | null {
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? null;
}

/** True if messages that were sent in the range are older than these, the newest. `hasMore`: there are older ones at all. */
export const lacksOlder = (newest: readonly Pick<Message, 'created_at'>[], from: number, hasMore: boolean) =>
  hasMore && newest.every(({ created_at }) => Date.parse(created_at) >= from);

/** The time from the webhook to the gateway's answer, in ms: by steps that begin at `from`. */
export function deliveryTimes(
  messages: readonly Pick<Message, 'created_at' | 'sent_at'>[],
  from: number,
  { ms, stepMs }: Range,
): { readonly p50: readonly (number | null)[]; readonly p95: readonly (number | null)[] } {
  const steps = Array.from({ length: Math.round(ms / stepMs) }, (): number[] => []);
  for (const { created_at, sent_at } of messages) {
    if (sent_at === undefined) continue;
    const sent = Date.parse(sent_at);
    steps[Math.floor((sent - from) / stepMs)]?.push(sent - Date.parse(created_at));
  }
  const sorted = steps.map((step) => step.toSorted((a, b) => a - b));
  return {
    p50: sorted.map((step) => quantile(step, 0.5)),
    p95: sorted.map((step) => quantile(step, 0.95)),
  };
}

const GAP_MS = 300_000;
/** The fewest alerts of a storm, and how many of them a message has to stand for. */
const FEWEST = 10;
const EACH = 5;

type Opened = Pick<IncidentAnswer, 'id' | 'source' | 'started_at' | 'heard_at' | 'occurrences' | 'receivers'>;
type Sent = Pick<Message, 'id' | 'about'>;

/** Storms, oldest first: alerts that came together, and made few messages. */
export function stormsOf(incidents: readonly Opened[], messages: readonly Sent[]) {
  const rows: Opened[][] = [];
  const newest = new Map<string, Opened[]>();
  for (const one of incidents.toSorted((a, b) => Date.parse(a.started_at) - Date.parse(b.started_at))) {
    const row = newest.get(one.source);
    const last = row?.at(-1);
    if (row && last && Date.parse(one.started_at) - Date.parse(last.started_at) <= GAP_MS) row.push(one);
    else {
      const begun = [one];
      newest.set(one.source, begun);
      rows.push(begun);
    }
  }
  return rows
    .map((row) => stormOf(row, messages))
    .filter(({ alerts, messages: sent }) => alerts >= FEWEST && alerts >= EACH * sent);
}

/** Many alerts of a source in a row, and the messages about them. Times in ms. */
function stormOf(row: readonly Opened[], messages: readonly Sent[]) {
  const ids = new Set(row.map(({ id }) => id));
  // An incident names its last message; earlier ones name the incident.
  const sent = new Set([
    ...row.flatMap(({ receivers }) => receivers.flatMap(({ message }) => message ?? [])),
    ...messages.filter(({ about }) => about?.incidents.some((id) => ids.has(id))).map(({ id }) => id),
  ]);
  return {
    source: row[0]?.source ?? '',
    from: Math.min(...row.map(({ started_at }) => Date.parse(started_at))),
    to: Math.max(...row.map(({ heard_at }) => Date.parse(heard_at))),
    alerts: row.reduce((sum, { occurrences }) => sum + occurrences, 0),
    messages: sent.size,
  };
}
