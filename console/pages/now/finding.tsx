import type { ComponentChildren } from 'preact';
import { seenText } from '../../lib/hidden.ts';
import { addressOf } from '../../lib/router.ts';
import { Resume } from '../../parts/resume.tsx';
import { whoOf } from '../../texts/said.ts';
import { t } from '../../texts/texts.ts';
import { Button, Time } from '../../ui/basics.tsx';
import { toast } from '../../ui/toast.tsx';
import type { Finding } from './findings.ts';
import { IncidentsCard } from './incidents-card.tsx';
import { Row } from './row.tsx';
import { titleOf } from './title.ts';
import { Said } from '../../ui/said.tsx';

interface FindingProps {
  readonly finding: Finding;
  /** It is over, and only keeps its place. */
  readonly isGone: boolean;
  /** Reads the page's figures again, after something was done about it. */
  readonly again: () => void;
  readonly hide: (card: string, mark: number) => void;
}

/** A finding in words, with its action. */
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
  const title = titleOf(finding);
  const row = { isGone, done };
  switch (finding.is) {
    case 'paused':
      return (
        <Row
          {...row}
          tone="bad"
          word={t.now.is.paused}
          title={title}
          detail={
            <>
              {whoOf(finding.by)}: <span dir="auto">{seenText(finding.reason) ?? t.common.hidden}</span> ·{' '}
              <Time at={finding.since} relative />
            </>
          }
        >
          <Resume account={finding.account} waiting={finding.waiting} onDone={again} />
        </Row>
      );
    case 'circuit':
      return (
        <Row
          {...row}
          tone="bad"
          word={t.now.is.circuit}
          title={title}
          detail={
            <>
              {finding.error !== null && <Said text={finding.error} />}
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
    case 'capped':
      return (
        <Row
          {...row}
          tone="warn"
          word={t.now.is.capped}
          title={title}
          detail={
            <>
              {t.now.cappedNext} <Time at={finding.nextAt} relative />
            </>
          }
        >
          <Go to={addressOf('/messages', { state: 'queued' })}>{t.now.lookAtWaiting}</Go>
        </Row>
      );
    case 'full':
      return (
        <Row
          {...row}
          tone={finding.state === 'full' ? 'bad' : 'warn'}
          word={t.now.is.full}
          title={title}
          detail={finding.state === 'full' ? t.now.fullText : t.now.lowText}
        />
      );
    case 'dead':
    case 'uncertain':
      return (
        <Row
          {...row}
          tone={finding.is === 'dead' ? 'bad' : 'warn'}
          word={t.states[finding.is]}
          title={title}
          detail={finding.is === 'dead' ? t.now.deadText : t.now.uncertainText}
        >
          <Go to={addressOf('/messages', { state: finding.is })}>{t.now.lookAndRetry}</Go>
        </Row>
      );
    case 'failed':
    case 'partly':
      return (
        <Row
          {...row}
          tone={finding.is === 'failed' ? 'bad' : 'warn'}
          word={finding.is === 'failed' ? t.states.failed : t.states.partly_failed}
          title={title}
          detail={<Said text={seenText(finding.events[0]?.reason ?? '') ?? t.common.hidden} />}
        >
          <Go to={addressOf('/events', { state: finding.is === 'failed' ? 'failed' : 'partly_failed' })}>
            {t.now.lookAndReplay}
          </Go>
        </Row>
      );
    case 'rejected':
      return (
        <Row
          {...row}
          tone="warn"
          word={t.now.is.rejected}
          title={title}
          detail={
            <>
              <Said text={finding.last.detail} /> · <Time at={finding.last.at} relative />
            </>
          }
        >
          <Go to={addressOf('/rejections', { source: finding.source })}>{t.now.lookAndFix}</Go>
        </Row>
      );
    case 'silent':
      return (
        <Row
          {...row}
          tone="warn"
          word={t.now.is.silent}
          title={title}
          detail={finding.lastAt === null ? t.now.neverHeard : <Time at={finding.lastAt} relative />}
        >
          <Go to={addressOf(`/sources/${finding.source}`)}>{t.now.lookAtSource}</Go>
        </Row>
      );
    case 'incidents':
      return <IncidentsCard of={finding.of} title={title} again={again} {...row} />;
  }
}

const Go = ({ to, children }: { to: string; children: ComponentChildren }) => (
  <a class="button" href={to}>
    {children}
  </a>
);
