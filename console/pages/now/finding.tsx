import type { ComponentChildren } from 'preact';
import { post } from '../../api/client.ts';
import { number } from '../../lib/format.ts';
import { addressOf } from '../../lib/router.ts';
import { t } from '../../texts/texts.ts';
import { Badge, Button, Time } from '../../ui/basics.tsx';
import { For } from '../../ui/session.tsx';
import { doing } from '../../ui/toast.tsx';
import type { Finding } from './findings.ts';

interface FindingProps {
  readonly finding: Finding;
  /** Reads the page's figures again, after something was done about it. */
  readonly again: () => void;
}

/** A finding in words, with its action. */
export function FindingRow({ finding, again }: FindingProps) {
  const act = (path: string, done: string) => (): void => void doing(post(path), done).then(again);
  switch (finding.is) {
    case 'paused':
      return (
        <Row
          tone="bad"
          word={t.now.is.paused}
          title={t.now.paused(finding.account, finding.waiting)}
          detail={
            <>
              {finding.by}: {finding.reason} · <Time at={finding.since} relative />
            </>
          }
        >
          <For role="operator">
            <Button
              look="main"
              onClick={act(`/accounts/${finding.account}/resume`, t.accounts.resumed(finding.account))}
            >
              {t.accounts.resume}
            </Button>
          </For>
        </Row>
      );
    case 'circuit':
      return (
        <Row
          tone="bad"
          word={t.now.is.circuit}
          title={t.now.circuit(finding.account, finding.waiting)}
          detail={
            <>
              {finding.error}
              {finding.probeAt !== null && (
                <>
                  {' '}
                  · {t.now.probe} <Time at={finding.probeAt} relative />
                </>
              )}
            </>
          }
        >
          <Go to={addressOf('/doctor')}>{t.now.askDoctor}</Go>
        </Row>
      );
    case 'full':
      return (
        <Row
          tone={finding.state === 'full' ? 'bad' : 'warn'}
          word={t.now.is.full}
          title={t.now.full(finding.account, Math.round(finding.ratio * 100))}
          detail={finding.state === 'full' ? t.now.fullText : t.now.lowText}
        />
      );
    case 'dead':
    case 'uncertain':
      return (
        <Row
          tone={finding.is === 'dead' ? 'bad' : 'warn'}
          word={t.states[finding.is]}
          title={t.now[finding.is](finding.count, finding.isLeast)}
          detail={finding.is === 'dead' ? t.now.deadText : t.now.uncertainText}
        >
          <Go to={addressOf('/messages', { state: finding.is })}>{t.now.lookAndRetry}</Go>
        </Row>
      );
    case 'failed':
      return (
        <Row
          tone="bad"
          word={t.states.failed}
          title={t.now.failed(finding.events.length, finding.isLeast)}
          detail={finding.events[0]?.reason ?? ''}
        >
          <Go to={addressOf('/events', { state: 'failed' })}>{t.now.lookAndReplay}</Go>
        </Row>
      );
    case 'rejected':
      return (
        <Row
          tone="warn"
          word={t.now.is.rejected}
          title={t.now.rejected(finding.source, finding.count)}
          detail={
            <>
              {finding.last.detail} · <Time at={finding.last.at} relative />
            </>
          }
        >
          <Go to={addressOf('/rejections', { source: finding.source })}>{t.now.lookAndFix}</Go>
        </Row>
      );
    case 'silent':
      return (
        <Row
          tone="warn"
          word={t.now.is.silent}
          title={t.now.silent(finding.source, finding.expected)}
          detail={finding.lastAt === null ? t.now.neverHeard : <Time at={finding.lastAt} relative />}
        >
          <Go to={addressOf(`/sources/${finding.source}`)}>{t.now.lookAtSource}</Go>
        </Row>
      );
    case 'incident': {
      const { incident } = finding;
      return (
        <Row
          tone="bad"
          word={t.now.is.incident}
          title={t.now.incident(incident.key, number(incident.occurrences))}
          detail={
            <>
              {incident.source} · {incident.route} · <Time at={incident.started_at} relative />
            </>
          }
        >
          <Go to={addressOf(`/events/${incident.event}`)}>{t.now.lookAtEvent}</Go>
          <For role="operator">
            <Button onClick={act(`/incidents/${incident.id}/resolve`, t.now.resolved)}>
              {t.now.resolve}
            </Button>
          </For>
        </Row>
      );
    }
  }
}

const Go = ({ to, children }: { to: string; children: ComponentChildren }) => (
  <a class="button" href={to}>
    {children}
  </a>
);

interface RowProps {
  readonly tone: 'bad' | 'warn';
  readonly word: string;
  readonly title: string;
  readonly detail: ComponentChildren;
  readonly children?: ComponentChildren;
}

const Row = ({ tone, word, title, detail, children }: RowProps) => (
  <li class={`now-finding ${tone}`}>
    <div class="now-finding-text">
      <p>
        <Badge tone={tone}>{word}</Badge>
      </p>
      <p class="now-finding-title">{title}</p>
      <p class="soft">{detail}</p>
    </div>
    <div class="now-finding-actions">{children}</div>
  </li>
);
