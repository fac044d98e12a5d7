import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { AccountStatus, Series } from '../../api/types.ts';
import { duration, number } from '../../lib/format.ts';
import { useLive } from '../../lib/live.ts';
import { useLoad } from '../../lib/load.ts';
import { addressOf } from '../../lib/router.ts';
import { Chart, eventsIn } from '../../ui/chart.tsx';
import { t } from '../../texts/texts.ts';
import { Badge, Button, Empty, Loading, PageHead, Panel, Trouble } from '../../ui/basics.tsx';
import { Live } from '../../ui/live.tsx';
import { FindBox } from '../../parts/search-box.tsx';
import { FindingRow, titleOf } from './finding.tsx';
import { type DoneMarks, type Finding, findingsOf, type Overview, type OverviewParts } from './findings.ts';
import { getEach, withQuery } from '../../api/client.ts';
import { readStored, store } from '../../lib/stored.ts';
import { HOURS, lastDay } from '../../parts/sparklines.ts';

/** A busy hour does not load the figures with each message. */
const EVERY_MS = 60_000;

export function Now() {
  const urgent = useLoad('urgent', (signal) => loadUrgent(Date.now(), signal));
  const figures = useLoad('figures', (signal) => loadFigures(Date.now(), signal), EVERY_MS);
  const live = useLive(true, urgent.again);
  const value = useMemo(
    () => (urgent.value === null || figures.value === null ? null : { ...urgent.value, ...figures.value }),
    [urgent.value, figures.value],
  );
  const error = urgent.error ?? figures.error;
  const again = (): void => {
    urgent.again();
    figures.again();
  };
  const [done, setDone] = useDone();
  const findings = useMemo(
    () => (value === null ? null : findingsOf(value, done, Date.now())),
    [value, done],
  );
  const { items, isGone, touch } = useStill(findings?.open ?? NONE);
  return (
    <>
      <PageHead title={t.nav.now}>
        <FindBox number="" />
        <Live state={live} />
      </PageHead>
      {error !== null && <Trouble error={error} again={again} />}
      {error === null && value === null && <Loading />}
      {findings !== null && (
        <section aria-label={t.now.needs}>
          {!findings.isWhole && <Trouble error={t.common.offline} again={again} />}
          {items.length === 0 && findings.isWhole && (
            <div class="panel flow">
              <Badge tone="good">{t.now.calm}</Badge>
              <p class="soft">{t.now.calmText}</p>
            </div>
          )}
          {items.length > 0 && (
            <ul class="stack below now-findings" onPointerDown={touch} onKeyDown={touch}>
              {items.map((finding) => (
                <FindingRow
                  key={finding.card}
                  finding={finding}
                  isGone={isGone(finding)}
                  again={again}
                  hide={setDone}
                />
              ))}
            </ul>
          )}
          {findings.done.length > 0 && <DoneCards done={findings.done} show={setDone} />}
        </section>
      )}
      {value !== null && <Figures overview={value} />}
    </>
  );
}

const NONE: readonly Finding[] = [];

const Figures = ({ overview }: { overview: Overview }) =>
  overview.stats === null || Object.keys(overview.stats.sources).length > 0 ? (
    <div class="columns now-figures">
      <Traffic overview={overview} />
      <Accounts accounts={overview.status?.items ?? []} />
    </div>
  ) : (
    <Panel>
      <Empty title={t.sources.none}>
        <a class="button main" href={addressOf('/sources/add')}>
          {t.sources.add}
        </a>
      </Empty>
    </Panel>
  );

const DoneCards = ({ done, show }: { done: readonly Finding[]; show: (card: string) => void }) => (
  <details class="now-done">
    <summary>{t.now.doneCount(done.length)}</summary>
    <ul class="lines">
      {done.map((finding) => (
        <li class="flow" key={finding.card}>
          <span class="grow">{titleOf(finding)}</span>
          <Button onClick={() => show(finding.card)}>{t.now.showAgain}</Button>
        </li>
      ))}
    </ul>
  </details>
);

const sum = (points: readonly { value: number }[]): string =>
  number(points.reduce((all, { value }) => all + value, 0));

const valuesOf = ({ points }: Series): readonly number[] => points.map(({ value }) => value);

function Traffic({ overview: { events, sent, lost } }: { overview: Overview }) {
  if (sent === null || lost === null) return null;
  const facts = [
    ...(events === null ? [] : [[t.nav.events, sum(events.points)] as const]),
    [t.now.sent, sum(sent.points)] as const,
    [t.now.lost, sum(lost.points)] as const,
  ];
  const stepMs = sent.step_seconds * 1_000;
  return (
    <Panel title={t.now.traffic(HOURS)} aside={<a href={addressOf('/charts')}>{t.nav.charts}</a>}>
      <dl class="flow below now-totals">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Chart
        title={t.now.traffic(HOURS)}
        isTitled={false}
        times={sent.points.map(({ at }) => Date.parse(at))}
        stepMs={stepMs}
        as="bars"
        show={number}
        series={[
          { name: t.now.sent, tone: 'main', values: valuesOf(sent) },
          { name: t.now.lost, tone: 'bad', values: valuesOf(lost) },
        ]}
        linkOf={eventsIn('', stepMs)}
      />
    </Panel>
  );
}

const Accounts = ({ accounts }: { accounts: readonly AccountStatus[] }) => (
  <Panel title={t.nav.accounts} aside={<a href={addressOf('/accounts')}>{t.now.allAccounts}</a>}>
    <ul class="lines now-accounts">
      {accounts.map(({ account, queued, retrying, sending, rate, drain_seconds: drain }) => {
        const waiting = queued + retrying + sending;
        return (
          <li key={account}>
            <strong class="cut">{account}</strong>
            <span>{waiting === 0 ? t.now.nothingWaits : t.now.waiting(waiting)}</span>
            <span class="soft">{rate === null ? t.now.noPace : t.now.pace(number(rate.per_minute))}</span>
            <span class="soft">
              {waiting > 0 && drain !== null && drain > 0 ? t.now.drains(duration(drain * 1_000)) : ''}
            </span>
          </li>
        );
      })}
    </ul>
  </Panel>
);

type Figure = 'stats' | 'events' | 'sent' | 'lost';

/** What may need somebody now. `now` in ms. */
function loadUrgent(now: number, signal: AbortSignal) {
  const since = new Date(now - HOURS * 3_600_000).toISOString();
  const urgent = {
    status: '/status',
    // Spam would fill the page, and needs nobody.
    rejections: '/rejections?limit=100&spam=false',
    failed: `/events?state=failed&limit=20&since=${since}`,
    partly: `/events?state=partly_failed&limit=20&since=${since}`,
    incidents: '/open-incidents',
  };
  return getEach<Omit<OverviewParts, Figure>>(urgent, signal);
}

function loadFigures(now: number, signal: AbortSignal) {
  const series = (metric: string): string => withQuery('/stats/series', { metric, ...lastDay(now) });
  const figures = {
    stats: '/stats',
    events: series('events'),
    sent: series('sent'),
    lost: series('failed'),
  };
  return getEach<Pick<OverviewParts, Figure>>(figures, signal);
}

const STORED = 'hookbell.done';

/** Returns the hidden cards, and a function that hides a card; without a mark, it shows the card again. */
function useDone(): readonly [DoneMarks, (card: string, mark?: number) => void] {
  const [done, setDone] = useState(() => readStored<DoneMarks>(localStorage, STORED) ?? {});
  return [
    done,
    (card, mark) => {
      const next = { ...done, [card]: mark };
      store(localStorage, STORED, next);
      setDone(next);
    },
  ];
}

/** Nothing moves for this time after somebody has touched the list (ms): a second tap is meant for what was there. */
const STILL_MS = 3_000;

interface Keyed {
  readonly card: string;
}

/** A list whose rows stay where they are while somebody's finger is on it: each old one in its place, new ones behind. */
function useStill<Item extends Keyed>(fresh: readonly Item[]) {
  const shown = useRef(fresh);
  const touchedAt = useRef(0);
  const [, setTurn] = useState(0);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const touch = (): void => {
    touchedAt.current = Date.now();
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setTurn((old) => old + 1), STILL_MS + 50);
  };
  const byCard = new Map(fresh.map((one) => [one.card, one]));
  const isStill = Date.now() - touchedAt.current < STILL_MS;
  const kept = isStill ? shown.current.map((one) => byCard.get(one.card) ?? one) : fresh;
  const known = new Set(kept.map(({ card }) => card));
  shown.current = [...kept, ...fresh.filter(({ card }) => !known.has(card))];
  return { items: shown.current, isGone: ({ card }: Item): boolean => !byCard.has(card), touch };
}
