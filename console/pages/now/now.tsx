import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { getEach, visibleText, withQuery } from '../../api/client.ts';
import type { AccountStatus, IncidentAnswer, ListPage, OpenIncidentsAnswer } from '../../api/types.ts';
import { duration, number } from '../../lib/format.ts';
import { useLive } from '../../lib/live.ts';
import { useGet, useLoad } from '../../lib/load.ts';
import { addressOf } from '../../lib/router.ts';
import { readStored, store } from '../../lib/stored.ts';
import { IncidentActions, nameOf } from '../../parts/incident.tsx';
import { Resume } from '../accounts/accounts.tsx';
import { FindBox } from '../../parts/search-box.tsx';
import { SilenceButton } from '../../parts/silence.tsx';
import { HOURS, lastDay, valuesOf } from '../../parts/sparklines.ts';
import { codedText, eventReason, pausedText } from '../../texts/relay-texts.ts';
import { t } from '../../texts/texts.ts';
import { Badge, Button, Empty, PageHead, Panel, Pending, Time, Trouble } from '../../ui/basics.tsx';
import { Chart, eventsIn } from '../../ui/chart.tsx';
import { Live } from '../../ui/live.tsx';
import { Coded, RelayText } from '../../ui/text.tsx';
import { toast } from '../../ui/toast.tsx';
import { IncidentRow, SeverityOf } from '../incidents/incidents.tsx';
import {
  type DoneMarks,
  type Figures,
  type Finding,
  findingsOf,
  type Overview,
  type Urgent,
} from './findings.ts';

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
      <Pending of={{ value, error, again }} />
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
              {items.map((one) => (
                <Card key={one.card} finding={one} isGone={isGone(one)} again={again} hide={setDone} />
              ))}
            </ul>
          )}
          {findings.done.length > 0 && <DoneCards done={findings.done} show={setDone} />}
        </section>
      )}
      {value !== null && <TrafficAndAccounts {...value} />}
    </>
  );
}

const NONE: readonly Finding[] = [];

interface CardProps {
  readonly finding: Finding;
  /** It is over, and only keeps its place, and its size: nothing slides under a finger. */
  readonly isGone: boolean;
  readonly again: () => void;
  readonly hide: (card: string, mark: number) => void;
}

function Card({ finding, isGone, again, hide }: CardProps) {
  const [isOpen, setOpen] = useState(false);
  const { card, mark } = finding;
  const { tone, word, title, detail, children } = contentOf(finding, again);
  return (
    <li class={`flow now-finding ${tone}${isGone ? ' gone' : ''}`} inert={isGone}>
      <div class="stack tight now-finding-text">
        <p>
          <Badge tone={isGone ? 'calm' : tone}>{isGone ? t.now.gone : word}</Badge>
        </p>
        <p class="now-finding-title">{title}</p>
        <p class="soft">{detail}</p>
      </div>
      <div class="flow now-finding-actions">
        {children}
        {finding.is === 'incidents' && (
          <>
            <Button isExpanded={isOpen} onClick={() => setOpen(!isOpen)}>
              {isOpen ? t.common.hide : t.common.show}
            </Button>
            <SilenceButton scopes={[{ source: finding.of.source }]} onDone={again} />
          </>
        )}
        {mark !== null && (
          <Button
            icon="check"
            onClick={() => {
              hide(card, mark);
              toast(t.now.doneToast);
            }}
          >
            {t.now.done}
          </Button>
        )}
      </div>
      {isOpen && finding.is === 'incidents' && <Below source={finding.of.source} />}
    </li>
  );
}

interface Content {
  readonly tone: 'bad' | 'warn';
  readonly word: string;
  /** It contains neither a person's number nor anything from a payload. */
  readonly title: string;
  readonly detail: ComponentChildren;
  readonly children?: ComponentChildren;
}

function contentOf(finding: Finding, again: () => void): Content {
  const { is: words } = t.now;
  switch (finding.is) {
    case 'paused': {
      const { account, paused, waiting } = finding;
      return {
        tone: 'bad',
        word: words.paused,
        title: t.now.paused(account, waiting),
        detail: [<Coded text={pausedText(paused)} />, <Next words=" ·" at={paused.since} />],
        children: <Resume account={account} waiting={waiting} onDone={again} />,
      };
    }
    case 'circuit': {
      const { last_error: error, probe_at: probe } = finding.circuit;
      const next = probe !== undefined && <Next words={` · ${t.now.probe}`} at={probe} />;
      return {
        tone: 'bad',
        word: words.circuit,
        title: t.now.circuit(finding.account, finding.waiting),
        detail: [error && <Coded text={codedText({ ...error, text: error.detail })} />, next],
        children: go('/doctor', t.now.askDoctor),
      };
    }
    case 'capped': {
      const { account, capped } = finding;
      return {
        tone: 'warn',
        word: words.capped,
        title: t.now.capped(account, capped.messages, capped.receivers),
        detail: <Next words={t.now.cappedNext} at={capped.next_at} />,
        children: go('/messages', t.now.lookAtWaiting, { state: 'queued' }),
      };
    }
    case 'full': {
      const isFull = finding.state === 'full';
      return {
        tone: isFull ? 'bad' : 'warn',
        word: words.full,
        title: t.now.full(finding.account, Math.round(finding.ratio * 100)),
        detail: isFull ? t.now.fullText : t.now.lowText,
      };
    }
    case 'dead':
    case 'uncertain': {
      const { is: state, count, isLeast } = finding;
      return {
        tone: state === 'dead' ? 'bad' : 'warn',
        word: t.states[state],
        title: t.now[state](count, isLeast),
        detail: state === 'dead' ? t.now.deadText : t.now.uncertainText,
        children: go('/messages', t.now.lookAndRetry, { state }),
      };
    }
    case 'failed':
    case 'partly': {
      const { is, events, isLeast } = finding;
      const state = is === 'failed' ? is : 'partly_failed';
      return {
        tone: is === 'failed' ? 'bad' : 'warn',
        word: t.states[state],
        title: t.now[is](events.length, isLeast),
        detail: <Coded text={eventReason(events[0] ?? {}) ?? t.common.hidden} />,
        children: go('/events', t.now.lookAndReplay, { state }),
      };
    }
    case 'rejected': {
      const { last, source, count } = finding;
      return {
        tone: 'warn',
        word: words.rejected,
        title: t.now.rejected(source, count),
        detail: [<RelayText text={last.detail} />, <Next words=" ·" at={last.at} />],
        children: go('/rejections', t.now.lookAndFix, { source }),
      };
    }
    case 'silent': {
      const { source, expected, lastAt } = finding;
      return {
        tone: 'warn',
        word: words.silent,
        title: t.now.silent(source, expected),
        detail: lastAt === null ? t.now.neverHeard : <Time at={lastAt} relative />,
        children: go(`/sources/${source}`, t.now.lookAtSource),
      };
    }
    case 'incidents': {
      const { source, unattended, critical, worst } = finding.of;
      return {
        tone: 'bad',
        word: words.incident,
        title: t.now.incidents(source, unattended, critical),
        detail: <Worst {...finding.of} />,
        children: worst && <IncidentActions incident={worst} onDone={again} isOnlyAcknowledged />,
      };
    }
  }
}

const Next = ({ words, at }: { words: string; at: string }) => (
  <>
    {words} <Time at={at} relative />
  </>
);

const go = (path: string, words: string, query: Readonly<Record<string, string>> = {}) => (
  <a class="button" href={addressOf(path, query)}>
    {words}
  </a>
);

function Worst({ worst, acknowledged, silenced, inhibited }: OpenIncidentsAnswer) {
  const summary = visibleText(worst?.summary);
  const others = [t.now.alsoAcknowledged(acknowledged), t.now.alsoHeld(silenced + inhibited)];
  const besides = others.filter((text) => text !== '').join(', ');
  return (
    <>
      {worst !== null && (
        <>
          <SeverityOf of={worst} /> <a href={addressOf(`/incidents/${worst.id}`)}>{nameOf(worst)}</a> ·{' '}
          <Time at={worst.started_at} relative />
          {summary !== undefined && <span class="now-summary">{summary}</span>}
        </>
      )}
      {besides !== '' && ` · ${besides}`}
    </>
  );
}

/** The number of incidents below a card; the page of incidents has all. */
const SHOWN = 8;

function Below({ source }: { source: string }) {
  const loaded = useGet<ListPage<IncidentAnswer>>('/incidents', { source, state: 'open', limit: SHOWN });
  return (
    <div class="stack now-below">
      <Pending of={loaded} />
      <ul class="lines">
        {loaded.value?.items.map((incident) => (
          <li key={incident.id}>
            <a href={addressOf(`/incidents/${incident.id}`)}>
              <IncidentRow incident={incident} />
            </a>
          </li>
        ))}
      </ul>
      {go('/incidents', t.now.allOf(source), { source, state: 'open' })}
    </div>
  );
}

const TrafficAndAccounts = (overview: Overview) =>
  overview.stats === null || Object.keys(overview.stats.sources).length > 0 ? (
    <div class="columns now-figures">
      <Traffic {...overview} />
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
          <span class="grow">{contentOf(finding, () => undefined).title}</span>
          <Button onClick={() => show(finding.card)}>{t.now.showAgain}</Button>
        </li>
      ))}
    </ul>
  </details>
);

const sum = (values: readonly number[]): string => number(values.reduce((all, value) => all + value, 0));

function Traffic({ events, sent, lost }: Overview) {
  if (sent === null || lost === null) return null;
  const [sentValues, lostValues] = [valuesOf(sent), valuesOf(lost)];
  const stepMs = sent.step_seconds * 1_000;
  return (
    <Panel title={t.now.traffic(HOURS)} aside={<a href={addressOf('/charts')}>{t.nav.charts}</a>}>
      <dl class="flow below now-totals">
        {events !== null && <Total name={t.nav.events} of={valuesOf(events)} />}
        <Total name={t.now.sent} of={sentValues} />
        <Total name={t.now.lost} of={lostValues} />
      </dl>
      <Chart
        title={t.now.traffic(HOURS)}
        isTitled={false}
        times={sent.points.map(({ at }) => Date.parse(at))}
        stepMs={stepMs}
        as="bars"
        show={number}
        series={[
          { name: t.now.sent, tone: 'main', values: sentValues },
          { name: t.now.lost, tone: 'bad', values: lostValues },
        ]}
        linkOf={eventsIn('', stepMs)}
      />
    </Panel>
  );
}

const Total = ({ name, of }: { name: string; of: readonly number[] }) => (
  <div>
    <dt>{name}</dt>
    <dd>{sum(of)}</dd>
  </div>
);

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
  return getEach<Urgent>(urgent, signal);
}

function loadFigures(now: number, signal: AbortSignal) {
  const series = (metric: string): string => withQuery('/stats/series', { metric, ...lastDay(now) });
  const figures = {
    stats: '/stats',
    events: series('events'),
    sent: series('sent'),
    lost: series('failed'),
  };
  return getEach<Figures>(figures, signal);
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

/** Cards that stay where they are while somebody's finger is on one: each old one in its place, new ones behind. */
function useStill(fresh: readonly Finding[]) {
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
  return { items: shown.current, isGone: ({ card }: Finding): boolean => !byCard.has(card), touch };
}
