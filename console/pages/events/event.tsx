import { useRef, useState } from 'preact/hooks';
import { get, post, visibleText } from '../../api/client.ts';
import type { EventDetail, Frame, Message, Replayed } from '../../api/types.ts';
import { duration, number, phoneText, clock } from '../../lib/format.ts';
import { useKeys } from '../../lib/keys.ts';
import { useNews } from '../../lib/live.ts';
import { useLoad } from '../../lib/load.ts';
import { addressOf, go } from '../../lib/router.ts';
import { PayloadPanel } from '../../parts/payload.tsx';
import { scopesOfEvent, SilenceButton } from '../../parts/silence/silence.tsx';
import { useSources } from '../../parts/sources.ts';
import { eventReason, byWhom } from '../../texts/relay-texts.ts';
import { t } from '../../texts/texts.ts';
import {
  Button,
  Copy,
  Empty,
  Facts,
  IdLink,
  PageHead,
  Panel,
  Pending,
  SourceLink,
  State,
  Time,
  type Tone,
  useNow,
  Badge,
} from '../../ui/basics.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { CheckField, ChoiceField } from '../../ui/form.tsx';
import { Coded } from '../../ui/text.tsx';
import { useMay } from '../../ui/session.tsx';
import { toast } from '../../ui/toast.tsx';
import { LANGUAGE, Outcome } from './outcome.tsx';
import { sentencesOf } from './sentence.ts';
import { replayCounts, notificationsOf, stepsOf, type TripWait } from './outcomes.ts';
import { usePeople } from '../../parts/people.ts';

async function load(id: string, signal: AbortSignal) {
  const event = await get<EventDetail>(`/events/${encodeURIComponent(id)}`, {}, signal);
  const notifications = notificationsOf(event)
    .slice(0, SHOWN)
    // One whose retention has ended is left out of the trip.
    .map((message) => get<Message>(`/messages/${encodeURIComponent(message)}`, {}, signal).catch(() => []));
  return { event, notifications: (await Promise.all(notifications)).flat() };
}

/** True if the event may have changed. A notification of its items belongs to no event. */
const isAbout = (frame: Frame, event: EventDetail | null): boolean =>
  'event' in frame && (frame.event === null ? event?.items !== undefined : frame.event === event?.id);

export function EventPage({ id = '' }: { readonly id?: string }) {
  const loaded = useLoad(id, (signal) => load(id, signal));
  const { value, again } = loaded;
  const event = value?.event ?? null;
  const source = useSources().find(({ id }) => id === event?.source);
  const [isAsking, setAsking] = useState(false);
  const mayReplay = useMay('operator');
  useNews(event !== null, (frame) => isAbout(frame, event), again);
  const canReplay = event !== null && event.stored && mayReplay;
  useKeys(canReplay ? [{ key: 'r', label: t.events.replayNow, run: () => setAsking(true) }] : []);
  const title = useRef<string>(t.events.one);
  if (event !== null) title.current = visibleText(event.subject) ?? event.type ?? event.source;
  return (
    <>
      <PageHead title={title.current} back="/events">
        {event !== null && (
          <div class="flow act-bar">
            <SilenceButton scopes={scopesOfEvent(event)} />
            {canReplay && (
              <Button icon="retry" look="main" onClick={() => setAsking(true)}>
                {t.events.replayButton}
              </Button>
            )}
          </div>
        )}
      </PageHead>
      <Pending of={loaded} gone={<Empty title={t.events.gone}>{t.events.goneText}</Empty>} />
      {value !== null && event !== null && (
        <>
          <Coded as="p" class="below" text={sentencesOf(event, source?.routes ?? [], LANGUAGE).join(' ')} />
          <EventFacts event={event} />
          <div class="columns even">
            <div>
              <Outcome event={event} source={source} onChanged={again} />
              <Trip {...value} />
              {event.items !== undefined && <Items items={event.items} />}
            </div>
            <PayloadPanel event={event} />
          </div>
        </>
      )}
      {isAsking && event !== null && <ReplayDialog event={event} onClose={() => setAsking(false)} />}
    </>
  );
}

const EventFacts = ({ event }: { event: EventDetail }) => {
  const dedupeKey = visibleText(event.dedupe_key);
  const subject = visibleText(event.subject);
  return (
    <Panel id="facts">
      {event.reason !== undefined && (
        <Coded as="p" class="note bad" text={eventReason(event) ?? t.common.hidden} />
      )}
      <Facts
        facts={[
          [t.common.state, <State of={event.state} />],
          [t.common.source, <SourceLink id={event.source} />],
          [t.events.subject, subject !== undefined && <span dir="auto">{subject}</span>],
          [t.events.type, event.type === null && <span class="soft">{t.events.noType}</span>],
          [t.account.language, event.locale],
          [
            t.events.received,
            <>
              <Time at={event.received_at} />{' '}
              <span class="soft">
                (<Time at={event.received_at} relative />)
              </span>
            </>,
          ],
          [t.events.duplicatesLabel, event.duplicates > 0 && number(event.duplicates)],
          [t.events.version, t.events.versionOf(number(event.config_version))],
          [t.events.id, <Copy text={event.id} />],
          [t.events.dedupeKey, dedupeKey !== undefined && <Copy text={dedupeKey} />],
          [
            t.events.replayOf,
            event.replay_of !== undefined && <IdLink path="/events" id={event.replay_of} />,
          ],
          [t.events.replayedBy, event.replayed_by !== undefined && byWhom(event.replayed_by)],
        ]}
      />
    </Panel>
  );
};

const OUTCOMES: Readonly<Record<string, string>> = t.messages.outcomes;

/** The steps that are drawn; the messages above have all of them. */
const SHOWN = 12;

const TONES: Readonly<Record<ReturnType<typeof stepsOf>[number]['is'], Tone>> = {
  received: 'busy',
  sent: 'good',
  failed: 'warn',
  waits: 'calm',
};

/**
 * The trip of an event from its webhook to the phones, with the time of each step: notifications of its items are sent later
 * than its own messages.
 */
function Trip({ event, notifications }: Awaited<ReturnType<typeof load>>) {
  const now = useNow(30_000);
  const steps = stepsOf(event, notifications);
  const start = Date.parse(event.received_at);
  if (steps.length < 2) return null;
  return (
    <Panel title={t.events.trip}>
      <ol>
        {steps.slice(0, SHOWN).map(({ at, is, phone, by, detail, waits }, index) => (
          <li key={index} class={`trip-step ${TONES[is]}`}>
            <span class="soft">
              {at === null ? '' : is === 'received' ? <Time at={at} /> : `+${duration(at - start)}`}
            </span>
            <span>
              {t.events.tripSteps[is]}
              {phone !== null && ` · ${phoneText(phone)}`}
              {by !== null && ` ${t.messages.ofAccount(by)}`}
              {detail !== null && <span class="soft"> · {OUTCOMES[detail] ?? detail}</span>}
              {waits !== undefined && <span class="soft"> {waitText(waits, now)}</span>}
            </span>
          </li>
        ))}
        {steps.length > SHOWN && (
          <li class="trip-step calm">
            <span class="soft" />
            <span>{t.events.tripMore(steps.length - SHOWN)}</span>
          </li>
        )}
      </ol>
    </Panel>
  );
}

type What = 'all' | 'failed' | 'routes';

/** Asks what of an event is sent again, and says before how many got it already. */
function ReplayDialog({ event, onClose }: { event: EventDetail; onClose: () => void }) {
  const [what, setWhat] = useState<What>('all');
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const routes = useSources().find(({ id }) => id === event.source)?.routes ?? [];
  const { sent, failed } = replayCounts(event.messages, what === 'routes' ? chosen : null);
  const replay = async (): Promise<void> => {
    const body = what === 'failed' ? { only: 'failed' } : what === 'routes' ? { routes: chosen } : {};
    const done = await post<Replayed>(`/events/${event.id}/replay`, body);
    toast(t.events.replayed(done.messages.length));
    go(`/events/${done.event}`);
    scrollTo(0, 0);
  };
  const choices: readonly (readonly [What, string])[] = [
    ['all', t.events.replayAll],
    ...(failed > 0 || event.state === 'failed' || event.state === 'partly_failed'
      ? [['failed', t.events.replayFailed] as const]
      : []),
    ...(routes.length > 1 ? [['routes', t.events.replayRoutes] as const] : []),
  ];
  return (
    <Confirm
      title={t.events.replayTitle}
      action={t.events.replayNow}
      isUnready={what === 'routes' && chosen.length === 0}
      onConfirm={replay}
      onClose={onClose}
    >
      <p>{t.events.replayLead}</p>
      <ChoiceField legend={t.events.replayWhat} value={what} options={choices} onChange={setWhat} />
      {what === 'routes' && (
        <div class="stack tight indented" role="group" aria-label={t.events.replayRoutes}>
          {routes.map(({ name }) => (
            <CheckField
              key={name}
              label={name}
              value={chosen.includes(name)}
              onChange={(isOn) =>
                setChosen((old) => (isOn ? [...old, name] : old.filter((other) => other !== name)))
              }
            />
          ))}
        </div>
      )}
      {what === 'failed' && failed > 0 && <p class="soft">{t.events.replayFailedCount(failed)}</p>}
      {what !== 'failed' && sent > 0 && <p class="box warn">{t.events.replayAgain(sent)}</p>}
    </Confirm>
  );
}

type Item = NonNullable<EventDetail['items']>[number];

const OUTCOME_TONES: Partial<Readonly<Record<Item['outcome'], Tone>>> = { notified: 'good', waiting: 'busy' };

function Items({ items }: { items: readonly Item[] }) {
  const now = useNow(30_000);
  const { nameOf } = usePeople();
  // A route without `each` has one item, which is the event itself.
  const hasItems = items.some(({ index }) => index > 1);
  return (
    <Panel title={hasItems ? t.events.items : t.incidents.receivers}>
      <ul class="lines events-items">
        {items.map((item) => (
          <li class="flow" key={`${item.route}/${item.index}/${item.phone ?? ''}`}>
            {hasItems && <span>{t.events.item(number(item.index))}</span>}
            <Badge tone={OUTCOME_TONES[item.outcome] ?? 'calm'}>{t.events.outcomes[item.outcome]}</Badge>
            {item.waits !== undefined && <span class="soft">{waitText(item.waits, now)}</span>}
            {item.message === undefined ? (
              item.phone !== undefined && nameOf(item.phone)
            ) : (
              <a href={addressOf(`/messages/${item.message}`)}>
                {item.phone === undefined ? t.messages.open : nameOf(item.phone)}
              </a>
            )}
            {item.key !== undefined && <span class="soft small events-item-key">{item.key}</span>}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function waitText({ for: what, until }: TripWait, now: number): string {
  const text = t.events.itemWaits[what];
  return until === undefined ? text : `${text}, ${t.events.notBefore(clock(until, now))}`;
}
