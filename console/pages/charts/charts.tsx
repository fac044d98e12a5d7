import { get } from '../../api/client.ts';
import type { IncidentAnswer, ListPage, Message, Series } from '../../api/types.ts';
import { clock, duration, number } from '../../lib/format.ts';
import { useLoad } from '../../lib/load.ts';
import { addressOf, useFilters } from '../../lib/router.ts';
import { Chart, eventsIn } from '../../ui/chart.tsx';
import { useSources } from '../../parts/sources.ts';
import { valuesOf } from '../../parts/sparklines.ts';
import { locale, t } from '../../texts/texts.ts';
import { PageHead, Panel, Pending } from '../../ui/basics.tsx';
import { SelectField } from '../../ui/form.tsx';
import { deliveryTimes, lacksOlder, RANGE_NAMES, type RangeName, RANGES } from './figures.ts';
import { spanOf, stormsOf, successOf } from './figures.ts';

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
