import { goesOn } from '../../../src/outbox/state/states.ts';
import { get, visibleText } from '../../api/client.ts';
import type { IncidentAnswer, ListedSilence, ListPage, Message } from '../../api/types.ts';
import { clock, duration, number } from '../../lib/format.ts';
import { useLive } from '../../lib/live.ts';
import { useLoad } from '../../lib/load.ts';
import { addressOf } from '../../lib/router.ts';
import { IncidentActions, linkName, nameOf } from '../../parts/incident.tsx';
import { usePeople } from '../../parts/people.ts';
import { scopesOfIncident, SilenceButton } from '../../parts/silence.tsx';
import { byWhom } from '../../texts/relay-texts.ts';
import { t } from '../../texts/texts.ts';
import { Bubble } from '../../ui/bubble.tsx';
import { For, useSession } from '../../ui/session.tsx';
import {
  Badge,
  Empty,
  Facts,
  PageHead,
  Panel,
  Pending,
  SourceLink,
  State,
  Time,
  type Tone,
  useNow,
} from '../../ui/basics.tsx';
import { SeverityOf, StateOfIncident } from './incidents.tsx';
import { type TimelineLine, timelineOf } from './timeline.ts';

export function IncidentPage({ id = '' }: { readonly id?: string }) {
  const loaded = useLoad(id, (signal) =>
    get<IncidentAnswer>(`/incidents/${encodeURIComponent(id)}`, {}, signal),
  );
  const { value: incident, again } = loaded;
  const people = usePeople();
  const onCall = people.listOnCall(incident?.receivers.map(({ phone }) => phone) ?? []);
  // No frame is about an incident alone: what a sender posts, or a message becomes, may have changed it.
  useLive(incident !== null, again);
  return (
    <>
      <PageHead title={incident === null ? t.nav.incidents : nameOf(incident)} back="/incidents">
        {incident !== null && goesOn(incident.state) && (
          <div class="flow act-bar">
            <IncidentActions incident={incident} onDone={again} />
            <SilenceButton scopes={scopesOfIncident(incident)} onDone={again} />
          </div>
        )}
      </PageHead>
      <Pending of={loaded} gone={<Empty title={t.incidents.gone} />} />
      {incident !== null && (
        <>
          <Panel id="facts">
            <Alert of={incident} />
            <Facts
              facts={[
                [
                  t.common.state,
                  <span class="badges">
                    <SeverityOf of={incident} />
                    <StateOfIncident of={incident} />
                  </span>,
                ],
                [t.common.source, <SourceLink id={incident.source} />],
                [t.common.route, incident.route],
                [t.incidents.severity, visibleText(incident.severity)],
                [t.incidents.started, <Time at={incident.started_at} />],
                [t.incidents.lasted, <Lasted of={incident} />],
                [t.incidents.occurrences, t.incidents.times(number(incident.occurrences))],
                [t.incidents.key, visibleText(incident.key) !== undefined && <code>{incident.key}</code>],
              ]}
            />
            <p class="above incidents-event">
              <a href={addressOf(`/events/${incident.event}`)}>{t.incidents.lookAtEvent}</a>
            </p>
          </Panel>
          <Panel title={t.incidents.timeline}>
            <Timeline incident={incident} nameOfPhone={people.nameOf} />
          </Panel>
          <LastMessage of={incident} />
          <Panel
            title={t.incidents.receivers}
            aside={
              onCall !== null &&
              goesOn(incident.state) && (
                <For role="operator">
                  <a href={addressOf('/on-call', { swap: onCall })}>{t.incidents.handOver}</a>
                </For>
              )
            }
          >
            <ul class="lines">
              {incident.receivers.map(({ phone, state }) => (
                <li class="flow" key={phone ?? ''}>
                  <span class="grow">{phone === null ? t.send.everybody : people.nameOf(phone)}</span>
                  <Badge tone={state === 'notified' ? 'good' : state === 'waiting' ? 'busy' : 'calm'}>
                    {t.incidents.receiverStates[state]}
                  </Badge>
                </li>
              ))}
            </ul>
          </Panel>
        </>
      )}
    </>
  );
}

function Lasted({ of: { started_at, resolved_at, lost_at } }: { of: IncidentAnswer }) {
  const now = useNow(1_000);
  const ended = resolved_at ?? lost_at;
  const ms = (ended === undefined ? now : Date.parse(ended)) - Date.parse(started_at);
  return <>{duration(Math.max(1_000, ms - (ms % 1_000)))}</>;
}

/** What the alert says besides its name, and where its links lead: others wrote both. */
function Alert({ of }: { of: IncidentAnswer }) {
  const summary = visibleText(of.summary);
  const links = Object.entries(of.links ?? {});
  return (
    <>
      {summary !== undefined && (
        <p class="incidents-summary" dir="auto">
          {summary}
        </p>
      )}
      {links.length > 0 && (
        <ul class="flow below incidents-links">
          {links.map(([path, url]) => (
            <li key={path}>
              <a href={url} target="_blank" rel="noopener noreferrer" title={url}>
                {linkName(path)}
              </a>{' '}
              <span class="soft">{new URL(url).host}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function LastMessage({ of: { receivers } }: { of: IncidentAnswer }) {
  const session = useSession();
  const last = receivers.toSorted((one, other) =>
    (other.notified_at ?? '').localeCompare(one.notified_at ?? ''),
  )[0]?.message;
  const { value } = useLoad(`last message ${last}`, (signal) =>
    last === undefined || !session.sees_payloads
      ? Promise.resolve(null)
      : get<Message>(`/messages/${last}`, {}, signal),
  );
  return value === null ? null : (
    <Panel
      title={t.incidents.lastMessage}
      aside={<a href={addressOf(`/messages/${value.id}`)}>{t.incidents.lookAt}</a>}
    >
      <Bubble kind={value.kind} params={value.params} />
    </Panel>
  );
}

const TONES: Readonly<Partial<Record<TimelineLine['is'], Tone>>> = {
  opened: 'bad',
  resolved: 'good',
  resolvedBy: 'good',
};

type NameOf = ReturnType<typeof usePeople>['nameOf'];

function Timeline({ incident, nameOfPhone }: { incident: IncidentAnswer; nameOfPhone: NameOf }) {
  const lines = timelineOf(incident);
  const isSilenced = lines.some(({ is }) => is === 'silenced');
  const { value } = useLoad(`silences ${isSilenced}`, (signal) =>
    isSilenced ? get<ListPage<ListedSilence>>('/silences', {}, signal) : Promise.resolve(null),
  );
  return (
    <ol>
      {lines.map((line, at) => (
        <li key={at} class={`trip-step ${TONES[line.is] ?? 'calm'}`}>
          <span class="soft">{line.at === null ? t.common.today : <Time at={line.at} />}</span>
          <span>{wordsOf(line, value?.items ?? [], nameOfPhone)}</span>
        </li>
      ))}
    </ol>
  );
}

function wordsOf(line: TimelineLine, silences: readonly ListedSilence[], nameOfPhone: NameOf) {
  const words = t.incidents.line;
  switch (line.is) {
    case 'opened':
    case 'resolved':
    case 'expired':
    case 'unwatched':
    case 'heard':
      return words[line.is];
    case 'waits':
      return `${words.waits} (${number(line.count)})`;
    case 'escalated':
    case 'next':
      return `${words[line.is]} ${line.to.map((one) => nameOfPhone(one)).join(', ')}`;
    case 'acknowledged':
    case 'resolvedBy':
      return `${words[line.is]} ${personOf(line.by)}`;
    case 'notified':
    case 'notifying':
    case 'notNotified':
      return (
        <>
          {words[line.is]}{' '}
          <a href={addressOf(`/messages/${line.message}`)}>
            {line.phone === null ? t.send.everybody : nameOfPhone(line.phone)}
          </a>{' '}
          {line.state !== null && line.state !== 'sent' && <State of={line.state} />}
        </>
      );
    case 'silenced': {
      const silence = silences.find(({ id }) => id === line.silence);
      const until = silence?.until;
      return (
        <>
          {words.silenced} <a href={addressOf('/silences')}>{silence?.reason ?? line.silence}</a>{' '}
          {until !== undefined && t.incidents.until(clock(until, Date.now()))}{' '}
          {silence?.origin === 'hand' && t.silences.by(personOf(silence.by))}
        </>
      );
    }
    case 'inhibited':
      return (
        <>
          {words.inhibited} <a href={addressOf(`/incidents/${line.incident}`)}>{t.incidents.lookAt}</a>
        </>
      );
  }
}

const personOf = (by: string): string => byWhom(visibleText(by) ?? t.common.hidden);
