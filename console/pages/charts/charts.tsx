import { get } from '../../api/client.ts';
import type { IncidentAnswer, ListPage, Message, Series } from '../../api/types.ts';
import { clock, duration, number } from '../../lib/format.ts';
import { useLoad } from '../../lib/load.ts';
import { addressOf, useFilters } from '../../lib/router.ts';
import { Chart, eventsIn } from '../../ui/chart.tsx';
import { useSources } from '../../parts/documents.ts';
import { valuesOf } from '../../parts/sparklines.ts';
import { locale, t } from '../../texts/texts.ts';
import { PageHead, Panel, Pending } from '../../ui/basics.tsx';
import { SelectField } from '../../ui/form.tsx';

/** The size of a page of the API: the newest messages, for delivery times, and the newest incidents. */
const NEWEST = 200;
const EVERY_MS = 60_000;

async function load(range: RangeName, source: string, signal: AbortSignal) {
  const { from, to } = spanOf(RANGES[range], Date.now());
  const since = new Date(from).toISOString();
  const span = { from: since, to: new Date(to).toISOString(), step: RANGES[range].step };
  const series = (metric: string) => get<Series>('/stats/series', { metric, source, ...span }, signal);
  const [events, sent, failed, messages, incidents] = await Promise.all([
    series('events'),
    series('sent'),
    series('failed'),
    get<ListPage<Message>>('/messages', { state: 'sent', source, limit: NEWEST }, signal),
    get<ListPage<IncidentAnswer>>('/incidents', { since, source, limit: NEWEST }, signal),
  ]);
  return { from, events, sent, failed, messages, incidents };
}

const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });

export function Charts() {
  const [query, setFilters] = useFilters();
  const range = RANGE_NAMES.find((one) => one === query['range']) ?? '24h';
  const source = query['source'] ?? '';
  const sources = useSources();
  const loaded = useLoad(`charts ${range} ${source}`, (signal) => load(range, source, signal), EVERY_MS);
  return (
    <>
      <PageHead title={t.nav.charts}>
        <div class="line choices" role="group" aria-label={t.events.since}>
          {RANGE_NAMES.map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={one === range}
              onClick={() => setFilters({ range: one })}
            >
              {t.charts.ranges[one]}
            </button>
          ))}
        </div>
        <SelectField
          label={t.common.source}
          isLabelHidden
          value={source}
          options={[['', t.charts.allSources], ...sources.map(({ id }) => [id, id] as const)]}
          onChange={(chosen) => setFilters({ source: chosen })}
        />
      </PageHead>
      <Pending of={loaded} />
      {loaded.value !== null && <All range={range} source={source} {...loaded.value} />}
    </>
  );
}

type AllProps = Awaited<ReturnType<typeof load>> & { readonly range: RangeName; readonly source: string };

function All({ range, source, from, events, sent, failed, messages, incidents }: AllProps) {
  const { stepMs, ms } = RANGES[range];
  const times = Array.from({ length: ms / stepMs }, (_, at) => from + at * stepMs);
  const newest = messages.items;
  const took = deliveryTimes(newest, from, RANGES[range]);
  const messagesIn = (state: string) => (): string => addressOf('/messages', { source, state });
  // Older incidents are on further pages of the API.
  const isLeast = incidents.next_cursor !== null;
  const bands = stormsOf(incidents.items, newest).map((storm) => ({
    ...storm,
    text: t.charts.storm(storm.source, number(storm.alerts), storm.messages, isLeast),
    href: addressOf('/incidents', { source: storm.source }),
  }));
  const oldest = newest.at(-1);
  const [sentValues, failedValues] = [valuesOf(sent), valuesOf(failed)];
  return (
    <div class="charts">
      <Panel>
        <Chart
          {...{ times, stepMs, bands }}
          as="bars"
          show={number}
          title={t.charts.throughput}
          series={[
            { name: t.charts.events, tone: 'busy', values: valuesOf(events) },
            { name: t.states.sent, tone: 'main', values: sentValues },
          ]}
          linkOf={eventsIn(source, stepMs)}
        />
      </Panel>
      <Panel>
        <Chart
          {...{ times, stepMs }}
          as="bars"
          show={number}
          title={t.charts.failures}
          series={[{ name: t.states.failed, tone: 'bad', values: failedValues }]}
          linkOf={messagesIn('dead')}
        />
      </Panel>
      <Panel>
        <Chart
          {...{ times, stepMs }}
          as="lines"
          top={1}
          show={(value) => percent.format(value)}
          title={t.charts.success}
          series={[{ name: t.states.sent, tone: 'main', values: successOf(sentValues, failedValues) }]}
          linkOf={messagesIn('dead')}
        />
      </Panel>
      <Panel>
        <Chart
          {...{ times, stepMs }}
          as="lines"
          show={duration}
          title={t.charts.delivery}
          series={[
            { name: t.charts.p50, tone: 'main', values: took.p50 },
            { name: t.charts.p95, tone: 'busy', values: took.p95 },
          ]}
          linkOf={messagesIn('sent')}
        />
        {oldest !== undefined && lacksOlder(newest, from, messages.next_cursor !== null) && (
          <p class="help">
            {t.charts.deliveryOf(number(newest.length), clock(oldest.created_at, Date.now()))}
          </p>
        )}
      </Panel>
    </div>
  );
}

const HOUR = 3_600_000;

export const RANGES = {
  '1h': { ms: HOUR, stepMs: HOUR / 12, step: '5m' },
  '24h': { ms: 24 * HOUR, stepMs: HOUR, step: '1h' },
  '7d': { ms: 168 * HOUR, stepMs: 6 * HOUR, step: '6h' },
};

const RANGE_NAMES = ['1h', '24h', '7d'] as const;
type RangeName = (typeof RANGE_NAMES)[number];
type Range = (typeof RANGES)[RangeName];

/** The start and the end of a range at a time (ms): whole steps, up to the one that has begun. */
function spanOf({ ms, stepMs }: Range, now: number) {
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
