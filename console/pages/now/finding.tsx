import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { get, visibleText } from '../../api/client.ts';
import type { IncidentAnswer, ListPage, OpenIncidentsAnswer } from '../../api/types.ts';
import { useLoad } from '../../lib/load.ts';
import { addressOf } from '../../lib/router.ts';
import { IncidentActions, nameOf } from '../../parts/incident.tsx';
import { Resume } from '../../parts/resume.tsx';
import { scopeOfSource, SilenceButton } from '../../parts/silence.tsx';
import { codedText, eventReason, pausedText } from '../../texts/relay-texts.ts';
import { t } from '../../texts/texts.ts';
import { Badge, Button, Pending, Time } from '../../ui/basics.tsx';
import { Coded, RelayText } from '../../ui/text.tsx';
import { toast } from '../../ui/toast.tsx';
import { IncidentRow, SeverityOf } from '../incidents/incidents.tsx';
import type { Finding } from './findings.ts';

interface FindingProps {
  readonly finding: Finding;
  /** It is over, and only keeps its place. */
  readonly isGone: boolean;
  readonly again: () => void;
  readonly hide: (card: string, mark: number) => void;
}

export function FindingRow({ finding, isGone, again, hide }: FindingProps) {
  const { card, mark } = finding;
  const done = mark !== null && (
    <Button
      icon="check"
      onClick={() => {
        hide(card, mark);
        toast(t.now.doneToast);
      }}
    >
      {t.now.done}
    </Button>
  );
  const row = { isGone, done, title: titleOf(finding) };
  if (finding.is === 'incidents') return <IncidentsCard of={finding.of} again={again} {...row} />;
  return <Row {...row} {...contentOf(finding, again)} />;
}

type Content = Pick<RowProps, 'tone' | 'word' | 'detail' | 'children'>;

function contentOf(finding: Exclude<Finding, { is: 'incidents' }>, again: () => void): Content {
  const { is: words } = t.now;
  switch (finding.is) {
    case 'paused': {
      const { account, paused, waiting } = finding;
      const detail = [<Coded text={pausedText(paused)} />, <Next words=" ·" at={paused.since} />];
      const children = <Resume account={account} waiting={waiting} onDone={again} />;
      return { tone: 'bad', word: words.paused, detail, children };
    }
    case 'circuit': {
      const { last_error: error, probe_at: probe } = finding.circuit;
      const next = probe !== undefined && <Next words={` · ${t.now.probe}`} at={probe} />;
      const detail = [error && <Coded text={codedText({ ...error, text: error.detail })} />, next];
      return { tone: 'bad', word: words.circuit, detail, children: go('/doctor', t.now.askDoctor) };
    }
    case 'capped':
      return {
        tone: 'warn',
        word: words.capped,
        detail: <Next words={t.now.cappedNext} at={finding.capped.next_at} />,
        children: go('/messages', t.now.lookAtWaiting, { state: 'queued' }),
      };
    case 'full':
      return finding.state === 'full'
        ? { tone: 'bad', word: words.full, detail: t.now.fullText }
        : { tone: 'warn', word: words.full, detail: t.now.lowText };
    case 'dead':
    case 'uncertain': {
      const { is: state } = finding;
      const children = go('/messages', t.now.lookAndRetry, { state });
      return state === 'dead'
        ? { tone: 'bad', word: t.states.dead, detail: t.now.deadText, children }
        : { tone: 'warn', word: t.states.uncertain, detail: t.now.uncertainText, children };
    }
    case 'failed':
    case 'partly': {
      const state = finding.is === 'failed' ? 'failed' : 'partly_failed';
      return {
        tone: state === 'failed' ? 'bad' : 'warn',
        word: t.states[state],
        detail: <Coded text={eventReason(finding.events[0] ?? {}) ?? t.common.hidden} />,
        children: go('/events', t.now.lookAndReplay, { state }),
      };
    }
    case 'rejected': {
      const { last, source } = finding;
      const detail = [<RelayText text={last.detail} />, <Next words=" ·" at={last.at} />];
      const children = go('/rejections', t.now.lookAndFix, { source });
      return { tone: 'warn', word: words.rejected, detail, children };
    }
    case 'silent':
      return {
        tone: 'warn',
        word: words.silent,
        detail: finding.lastAt === null ? t.now.neverHeard : <Time at={finding.lastAt} relative />,
        children: go(`/sources/${finding.source}`, t.now.lookAtSource),
      };
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

interface CardProps extends Pick<RowProps, 'title' | 'isGone' | 'done'> {
  readonly of: OpenIncidentsAnswer;
  readonly again: () => void;
}

/** The number of incidents below a card; the page of incidents has all. */
const SHOWN = 8;

function IncidentsCard({ of, again, ...row }: CardProps) {
  const [isOpen, setOpen] = useState(false);
  const { source, worst, acknowledged, silenced, inhibited } = of;
  const summary = visibleText(worst?.summary);
  const besides = t.now.besides(acknowledged, silenced + inhibited);
  return (
    <Row
      {...row}
      tone="bad"
      word={t.now.is.incident}
      detail={
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
      }
      below={isOpen && <Below of={of} />}
    >
      {worst !== null && <IncidentActions incident={worst} onDone={again} isOnlyAcknowledged />}
      <button type="button" class="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? t.common.hide : t.common.show}
      </button>
      <SilenceButton scopes={scopeOfSource(source)} onDone={again} />
    </Row>
  );
}

function Below({ of: { source } }: Pick<CardProps, 'of'>) {
  const { value, error, again } = useLoad(source, (signal) =>
    get<ListPage<IncidentAnswer>>('/incidents', { source, state: 'open', limit: SHOWN }, signal),
  );
  return (
    <div class="stack now-below">
      <Pending of={{ value, error, again }} />
      <ul class="lines">
        {value?.items.map((incident) => (
          <li key={incident.id}>
            <a href={addressOf(`/incidents/${incident.id}`)}>
              <IncidentRow incident={incident} />
            </a>
          </li>
        ))}
      </ul>
      <a class="button" href={addressOf('/incidents', { source, state: 'open' })}>
        {t.now.allOf(source)}
      </a>
    </div>
  );
}

interface RowProps {
  readonly tone: 'bad' | 'warn';
  readonly word: string;
  readonly title: string;
  readonly detail: ComponentChildren;
  readonly isGone: boolean;
  readonly done: ComponentChildren;
  readonly children?: ComponentChildren;
  readonly below?: ComponentChildren;
}

/** A card of the first page. One that is over keeps its place and its size, so that nothing slides under a finger. */
const Row = ({ tone, word, title, detail, isGone, done, children, below }: RowProps) => (
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
      {done}
    </div>
    {below}
  </li>
);

/** The line of a card. It contains neither a person's number nor anything from a payload. */
export function titleOf(finding: Finding): string {
  switch (finding.is) {
    case 'paused':
    case 'circuit':
      return t.now[finding.is](finding.account, finding.waiting);
    case 'capped':
      return t.now.capped(finding.account, finding.capped.messages, finding.capped.receivers);
    case 'full':
      return t.now.full(finding.account, Math.round(finding.ratio * 100));
    case 'dead':
    case 'uncertain':
      return t.now[finding.is](finding.count, finding.isLeast);
    case 'failed':
    case 'partly':
      return t.now[finding.is](finding.events.length, finding.isLeast);
    case 'rejected':
      return t.now.rejected(finding.source, finding.count);
    case 'silent':
      return t.now.silent(finding.source, finding.expected);
    case 'incidents':
      return t.now.incidents(finding.of.source, finding.of.unattended, finding.of.critical);
  }
}
