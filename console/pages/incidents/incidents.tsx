import { goesOn, INCIDENT_STATES } from '../../../src/schema/states.ts';
import type { IncidentAnswer, ListedSilence, ListPage, Message } from '../../api/types.ts';
import { useList } from '../../lib/list.ts';
import { useLive, useNow } from '../../lib/live.ts';
import { addressOf, useFilters } from '../../lib/router.ts';
import { heldBy, IncidentActions, linkName, nameOf } from '../../parts/incident.tsx';
import { FilterChoice, Filters, SourceFilter } from '../../parts/list.tsx';
import { SilenceButton } from '../../parts/silence.tsx';
import { t } from '../../texts/texts.ts';
import { Badge, Empty, Facts, PageHead, Panel, Pending, SourceLink, State, Time } from '../../ui/basics.tsx';
import { type Tone, toneOf } from '../../ui/basics.tsx';
import { Live } from '../../ui/live.tsx';
import { Rows, useIsNarrow } from '../../ui/rows.tsx';
import { severityLevel } from '../../../src/lib/severity.ts';
import { clock, duration, number } from '../../lib/format.ts';
import { visibleText } from '../../api/client.ts';
import { byWhom } from '../../texts/relay-texts.ts';
import { useGet } from '../../lib/load.ts';
import { usePeople } from '../../parts/documents.ts';
import { Bubble } from '../../ui/bubble.tsx';
import { For, useSession } from '../../ui/session.tsx';

export function Incidents() {
  const [{ source = '', state = '' }] = useFilters();
  const list = useList<ListPage<IncidentAnswer>>('/incidents', { source, state });
  const live = useLive(true, list.again);
  const isNarrow = useIsNarrow();
  const isFiltered = source !== '' || state !== '';
  return (
    <>
      <PageHead title={t.nav.incidents}>
        <Live state={live} />
        {source !== '' && <SilenceButton scopes={[{ source }]} onDone={list.again} />}
      </PageHead>
      <Filters names={['source', 'state']}>
        <SourceFilter />
        <FilterChoice
          name="state"
          label={t.common.state}
          options={INCIDENT_STATES.map((one) => [one, t.incidents.states[one]])}
        />
      </Filters>
      <Pending of={{ ...list, value: list.page }} />
      {list.page !== null && list.items.length === 0 && !list.hasMore && (
        <Empty title={isFiltered ? t.incidents.noneMatch : t.incidents.none}>
          {isFiltered ? undefined : t.incidents.noneText}
        </Empty>
      )}
      {list.items.length > 0 && (
        <>
          <p class="soft below">{t.incidents.order}</p>
          <Rows
            label={t.nav.incidents}
            items={list.items}
            height={isNarrow ? 64 : 36}
            heads={isNarrow ? undefined : ['incidents-row', HEADS]}
            actions={
              isNarrow
                ? undefined
                : (one) => <IncidentActions incident={one} onDone={list.again} isOnlyAcknowledged />
            }
            keyOf={({ id }) => id}
            pathOf={({ id }) => `/incidents/${id}`}
            onEnd={list.more}
          >
            {(incident) => <IncidentRow incident={incident} />}
          </Rows>
        </>
      )}
    </>
  );
}

const HEADS = [
  t.incidents.severity,
  t.now.is.incident,
  t.common.source,
  t.common.state,
  t.messages.time,
  t.incidents.line.acknowledged,
];

export const IncidentRow = ({ incident }: { incident: IncidentAnswer }) => {
  const { source, route, occurrences, acknowledged_by: by } = incident;
  const { resolved_at, lost_at, started_at } = incident;
  const summary = visibleText(incident.summary);
  return (
    <div class="incidents-row">
      <span class="line incidents-line">
        <span class="incidents-severity">
          <SeverityOf of={incident} />
        </span>
        <span class="cut" dir="auto">
          <strong>{nameOf(incident)}</strong>
          {summary !== undefined && <span class="incidents-wide small soft"> {summary}</span>}
        </span>
        <StateOfIncident of={incident} />
      </span>
      <span class="line incidents-line soft">
        <span class="incidents-from cut">
          {source}
          <span class="incidents-wide small"> › {route}</span>
          {occurrences > 1 && ` · ${t.incidents.times(number(occurrences))}`}
        </span>
        <Time class="incidents-when" at={resolved_at ?? lost_at ?? started_at} relative />
        {by !== undefined && <span class="incidents-wide small cut">{personOf(by)}</span>}
      </span>
    </div>
  );
};

/** How bad it is, by a colour and a word: the sender's, or ours for what cannot wait. */
export function SeverityOf({ of: { critical, severity, state } }: { of: IncidentAnswer }) {
  const word = critical ? t.incidents.critical : visibleText(severity);
  if (word === undefined) return null;
  const tone = critical ? 'bad' : severityLevel(word) > 0 ? 'warn' : 'calm';
  return <Badge tone={goesOn(state) ? tone : 'calm'}>{word}</Badge>;
}

function StateOfIncident({ of }: { of: IncidentAnswer }) {
  const held = heldBy(of);
  const tone = of.state === 'expired' ? 'warn' : toneOf(of.state);
  return (
    <span class="badges">
      <Badge tone={held === null ? tone : 'calm'}>{t.incidents.states[of.state]}</Badge>
      {held !== null && <Badge tone="calm">{t.incidents[held]}</Badge>}
      {of.flapping && <Badge tone="warn">{t.incidents.flapping}</Badge>}
    </span>
  );
}

export function IncidentPage({ id = '' }: { readonly id?: string }) {
  const loaded = useGet<IncidentAnswer>(`/incidents/${encodeURIComponent(id)}`);
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
            <SilenceButton scopes={incident.silence_by ?? []} onDone={again} />
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
                  <Badge tone={toneOf(state)}>{t.incidents.receiverStates[state]}</Badge>
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
  const { value } = useGet<Message>(
    last === undefined || !session.sees_payloads ? null : `/messages/${last}`,
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

const LINE_TONES: Readonly<Partial<Record<TimelineLine['is'], Tone>>> = {
  opened: 'bad',
  resolved: 'good',
  resolvedBy: 'good',
};

type NameOf = ReturnType<typeof usePeople>['nameOf'];

function Timeline({ incident, nameOfPhone }: { incident: IncidentAnswer; nameOfPhone: NameOf }) {
  const lines = timelineOf(incident);
  const isSilenced = lines.some(({ is }) => is === 'silenced');
  const { value } = useGet<ListPage<ListedSilence>>(isSilenced ? '/silences' : null);
  return (
    <ol>
      {lines.map((line, at) => (
        <li key={at} class={`trip-step ${LINE_TONES[line.is] ?? 'calm'}`}>
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

/** The history of an incident, in order: times are ISO 8601. Whatever holds it back now is last; its beginning is unknown. */
export function timelineOf(incident: IncidentAnswer) {
  const { started_at, acknowledged_at, acknowledged_by: by = '', resolved_at, resolved_by } = incident;
  const { lost_at, receivers, state: now, steps = [], next } = incident;
  const silences = new Set(receivers.flatMap(({ silence }) => silence ?? []));
  const inhibitors = new Set(receivers.flatMap(({ inhibited_by }) => inhibited_by ?? []));
  const waiting = receivers.filter(({ state }) => state === 'waiting').length;
  const lines = [
    { is: 'opened' as const, at: started_at },
    ...receivers.flatMap(({ phone, notifications = [] }) =>
      notifications.flatMap(({ message, state, sent_at, created_at }) =>
        ifThere(sent_at ?? created_at, (at) => {
          return { is: wordOf(state), at, phone, message, state: state ?? null };
        }),
      ),
    ),
    ...ifThere(acknowledged_at, (at) => ({ is: 'acknowledged' as const, at, by })),
    ...steps.map(({ at, to }) => ({ is: 'escalated' as const, at, to })),
    ...(incident.occurrences > 1 && resolved_at === undefined
      ? [{ is: 'heard' as const, at: incident.heard_at }]
      : []),
    ...ifThere(resolved_at, (at) =>
      resolved_by === undefined
        ? { is: 'resolved' as const, at }
        : { is: 'resolvedBy' as const, at, by: resolved_by },
    ),
    ...ifThere(lost_at, (at) => ({ is: now === 'expired' ? now : ('unwatched' as const), at })),
  ];
  return [
    // An opening and its message may have the same time: the sort keeps their order.
    ...lines.toSorted((one, other) => one.at.localeCompare(other.at)),
    ...[...silences].map((silence) => ({ is: 'silenced' as const, at: null, silence })),
    ...[...inhibitors].map((of) => ({ is: 'inhibited' as const, at: null, incident: of })),
    ...ifThere(next ?? undefined, ({ at, to }) => ({ is: 'next' as const, at, to })),
    ...(waiting > 0 && goesOn(now) ? [{ is: 'waits' as const, at: null, count: waiting }] : []),
  ];
}

type TimelineLine = ReturnType<typeof timelineOf>[number];

const ifThere = <Value, Line>(value: Value | undefined, line: (value: Value) => Line): readonly Line[] =>
  value === undefined ? [] : [line(value)];

const wordOf = (state: string | undefined): 'notified' | 'notifying' | 'notNotified' => {
  if (state === undefined || state === 'sent' || state === 'uncertain') return 'notified';
  return state === 'queued' || state === 'sending' || state === 'retrying' ? 'notifying' : 'notNotified';
};
