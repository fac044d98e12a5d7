import { Fragment } from 'preact';
import { OUTSIDE_CHECKS, OUTSIDE_COMMAND, ownClockCheck } from '../../../shared/doctor/outside.ts';
import { partsOf, type RemedyAction } from '../../../shared/doctor/remedy.ts';
import { get, post } from '../../api/client.ts';
import type { Diagnosis } from '../../api/types.ts';
import { useLoad } from '../../lib/load.ts';
import { addressOf } from '../../lib/router.ts';
import { Resume } from '../accounts/accounts.tsx';
import { forPlace } from '../../texts/codes.ts';
import { findingText, own } from '../../texts/relay-texts.ts';
import { t } from '../../texts/texts.ts';
import { Badge, Button, Copy, PageHead, Panel, Pending, Time, type Tone } from '../../ui/basics.tsx';
import { Coded } from '../../ui/text.tsx';
import { useMay } from '../../ui/session.tsx';
import { remedyOf } from '../rejections/rejections.tsx';

type Check = Diagnosis['checks'][number];

const TONES = [
  ['fail', 'bad'],
  ['warn', 'warn'],
  ['unknown', 'calm'],
  ['ok', 'good'],
] as const;

export function Doctor() {
  const isCalling = useMay('operator');
  // The same list as `hookbell doctor` has: who may, has the gateway called.
  const loaded = useLoad('doctor', async (signal) => {
    const found = await (isCalling ? post<Diagnosis>('/doctor') : get<Diagnosis>('/doctor', {}, signal));
    return { ...found, checks: [...found.checks, ownClockCheck(found.now, Date.now())] };
  });
  const { value, isLoading, again } = loaded;
  return (
    <>
      <PageHead title={t.nav.doctor}>
        {value !== null && (
          <span class="soft">
            hookbell {value.version} · <Time at={value.now} />
          </span>
        )}
        <Button icon="retry" isBusy={isLoading} onClick={again}>
          {t.doctor.again}
        </Button>
      </PageHead>
      <Pending of={loaded} />
      {TONES.map(([status, tone]) => {
        const checks = value?.checks.filter((one) => one.status === status) ?? [];
        return checks.length === 0 ? null : (
          <Panel key={status} title={t.doctor.groups[status](checks.length)}>
            <ul class="lines">
              {checks.map((check) => (
                <Finding key={check.id} {...{ check, tone, again }} />
              ))}
            </ul>
          </Panel>
        );
      })}
      {value !== null && <Outside />}
    </>
  );
}

const Outside = () => (
  <Panel title={t.doctor.outside}>
    <ul class="lines">
      {OUTSIDE_CHECKS.map(({ id, ...english }) => {
        const [title, checks] = t.codes?.outside[id] ?? [english.title, english.checks];
        return (
          <li key={id}>
            <strong>{title}</strong> <span class="soft">{checks}</span>
          </li>
        );
      })}
    </ul>
    <p>
      {t.doctor.outsideHelp} <Copy text={OUTSIDE_COMMAND} />
    </p>
  </Panel>
);

function Finding({ check, tone, again }: { check: Check; tone: Tone; again: () => void }) {
  const { title, detail, remedy, hasCommands } = findingText(check);
  const code = check.code === 'refused' ? check.params?.['reason'] : undefined;
  // The remedy of a rejection has the same words as on its own page.
  const ofRejection = code === undefined ? undefined : remedyOf({ code, remedy: check.remedy });
  return (
    <li>
      <p>
        <Badge tone={tone}>{t.doctor.words[check.status]}</Badge> <strong>{title}</strong>
      </p>
      <Coded as="p" class="soft" text={detail} />
      {check.remedy !== undefined && (
        <p>
          <Coded text={ofRejection ?? remedy} show={(part) => withCommands(part, again)} />
          {ofRejection === undefined && !hasCommands && commandsOf(check.remedy, again)}
        </p>
      )}
    </li>
  );
}

/** Of the fix in the words of the command line. A command that this page can run is a button. */
const withCommands = (text: string, onDone: () => void) =>
  partsOf(text).map((one, at) =>
    'words' in one ? <Coded key={at} text={one.words} /> : <Command key={at} {...one} onDone={onDone} />,
  );

/** Only the commands of a remedy, after its words in another language. */
const commandsOf = (text: string, onDone: () => void) =>
  partsOf(text).map((part, at) => {
    if ('words' in part) return null;
    const here = forPlace(location.hostname, part.command);
    return (
      <Fragment key={at}>
        {' '}
        {here === part.command ? <Command {...part} onDone={onDone} /> : <Coded text={here} />}
      </Fragment>
    );
  });

const RETRY = 'npx hookbell retry';

function Command({ command, action, onDone }: { command: string; action: RemedyAction; onDone: () => void }) {
  switch (action.does) {
    case 'resume':
      return <Resume account={action.account} waiting={null} onDone={onDone} />;
    case 'show':
      return (
        <a href={addressOf(action.path, action.query)}>
          {command.startsWith(RETRY) ? t.messages.retryMany : own<string>(t.nav, action.path.slice(1))}
        </a>
      );
    case 'paste':
      return <Copy text={command} />;
  }
}
