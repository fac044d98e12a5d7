import { useRef, useState } from 'preact/hooks';
import { get, post, preview, visibleText } from '../../api/client.ts';
import type { EventDetail, Frame, Message, Replayed } from '../../api/types.ts';
import { clock, duration, number, phoneText } from '../../lib/format.ts';
import { useNews, useNow } from '../../lib/live.ts';
import { useLoad } from '../../lib/load.ts';
import { addressOf, go } from '../../lib/router.ts';
import { PayloadPanel } from '../../parts/payload.tsx';
import { SilenceButton } from '../../parts/silence.tsx';
import { type SourceRoutes, usePeople, useSources } from '../../parts/documents.ts';
import { byWhom, eventReason, failureText, own } from '../../texts/relay-texts.ts';
import { t } from '../../texts/texts.ts';
import { Badge, Button, Copy, Empty, Facts, IdLink, PageHead, Panel, Pending } from '../../ui/basics.tsx';
import { SourceLink, State, Time, type Tone, toneOf } from '../../ui/basics.tsx';
import { Confirm, Opener } from '../../ui/dialog.tsx';
import { CheckField, ChoiceField } from '../../ui/form.tsx';
import { Coded, RelayText } from '../../ui/text.tsx';
import { For, useMay } from '../../ui/session.tsx';
import { toast } from '../../ui/toast.tsx';
import { notificationsOf, replayCounts, routesOf, sentencesOf, stepsOf } from './outcomes.ts';
import type { RouteOfEvent, TripWait } from './outcomes.ts';
import { Attempts, MessageActions, whyText } from '../../parts/message.tsx';
import { Bubble } from '../../ui/bubble.tsx';

async function load(id: string, signal: AbortSignal) {
  const event = await get<EventDetail>(`/events/${encodeURIComponent(id)}`, {}, signal);
  const notifications = notificationsOf(event)
    .slice(0, STEPS_SHOWN)
    // One whose retention has ended is left out of the trip.
    .map((message) => get<Message>(`/messages/${encodeURIComponent(message)}`, {}, signal).catch(() => []));
  return { event, notifications: (await Promise.all(notifications)).flat() };
}

const timeText = (at: string): string => clock(at, Date.now());

/** True if the event may have changed. A notification of its items belongs to no event. */
const isAbout = (frame: Frame, event: EventDetail | null): boolean =>
  'event' in frame && (frame.event === null ? event?.items !== undefined : frame.event === event?.id);

export function EventPage({ id = '' }: { readonly id?: string }) {
  const loaded = useLoad(id, (signal) => load(id, signal));
  const { value, again } = loaded;
  const event = value?.event ?? null;
  const { source: of = '', type = null } = event ?? {};
  const source = useSources().find(({ id }) => id === of);
  useNews(event !== null, (frame) => isAbout(frame, event), again);
  const title = useRef<string>(t.events.one);
  if (event !== null) title.current = visibleText(event.subject) ?? event.type ?? event.source;
  return (
    <>
      <PageHead title={title.current} back="/events">
        {event !== null && (
          <div class="flow act-bar">
            <SilenceButton scopes={[...(type === null ? [] : [{ source: of, type }]), { source: of }]} />
            <Opener
              isOffered={event.stored}
              icon="retry"
              look="main"
              label={t.events.replayButton}
              shortcut={['r', t.events.replayNow]}
            >
              {(close) => <ReplayDialog event={event} source={source} onClose={close} />}
            </Opener>
          </div>
        )}
      </PageHead>
      <Pending of={loaded} gone={<Empty title={t.events.gone}>{t.events.goneText}</Empty>} />
      {value !== null && event !== null && (
        <>
          <Coded
            as="p"
            class="below"
            text={sentencesOf(event, source?.routes ?? [], t, timeText).join(' ')}
          />
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
    </>
  );
}

function EventFacts({ event }: { event: EventDetail }) {
  const { replay_of: replayOf } = event;
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
          [t.events.replayOf, replayOf !== undefined && <IdLink path="/events" id={replayOf} />],
          [t.events.replayedBy, event.replayed_by !== undefined && byWhom(event.replayed_by)],
        ]}
      />
    </Panel>
  );
}

/** The steps that are drawn; the messages above have all of them. */
const STEPS_SHOWN = 12;

const STEP_TONES: Readonly<Record<ReturnType<typeof stepsOf>[number]['is'], Tone>> = {
  received: 'busy',
  sent: 'good',
  failed: 'warn',
  waits: 'calm',
};

/** From the webhook to the phones: notifications of its items are sent later than its own messages. */
function Trip({ event, notifications }: Awaited<ReturnType<typeof load>>) {
  const now = useNow(30_000);
  const steps = stepsOf(event, notifications);
  const start = Date.parse(event.received_at);
  if (steps.length < 2) return null;
  return (
    <Panel title={t.events.trip}>
      <ol>
        {steps.slice(0, STEPS_SHOWN).map(({ at, is, phone, by, detail, waits }, index) => (
          <li key={index} class={`trip-step ${STEP_TONES[is]}`}>
            <span class="soft">
              {at === null ? '' : is === 'received' ? <Time at={at} /> : `+${duration(at - start)}`}
            </span>
            <span>
              {t.events.tripSteps[is]}
              {phone !== null && ` · ${phoneText(phone)}`}
              {by !== null && ` ${t.messages.ofAccount(by)}`}
              {detail !== null && (
                <span class="soft"> · {own<string>(t.messages.outcomes, detail) ?? detail}</span>
              )}
              {waits !== undefined && <span class="soft"> {waitText(waits, now)}</span>}
            </span>
          </li>
        ))}
        {steps.length > STEPS_SHOWN && (
          <li class="trip-step calm">
            <span class="soft" />
            <span>{t.events.tripMore(steps.length - STEPS_SHOWN)}</span>
          </li>
        )}
      </ol>
    </Panel>
  );
}

type What = 'all' | 'failed' | 'routes';

type EventProps = { readonly event: EventDetail; readonly source: SourceRoutes | undefined };

/** Asks what of an event is sent again, and says before how many got it already. */
function ReplayDialog({ event, source, onClose }: EventProps & { onClose: () => void }) {
  const { routes = [] } = source ?? {};
  const [what, setWhat] = useState<What>('all');
  const [chosen, setChosen] = useState<readonly string[]>([]);
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

const SHOWN = 10;

const isUnmatched = ({ result, messages }: RouteOfEvent): boolean =>
  (result === 'not_matched' || result === 'not_reached') && messages.length === 0;

/** The routes that matched an event, with their messages, and the reasons why the others did not match. */
function Outcome({ event, source, onChanged }: EventProps & { onChanged: () => void }) {
  const canPreview = useMay('operator') && event.stored;
  const { value, error } = useLoad(`preview ${event.id} ${canPreview}`, async () => {
    const { payload, headers, query, source } = event;
    return canPreview ? preview(source, { payload, headers, query }) : null;
  });
  const today = value !== null && 'routes' in value ? value.routes : null;
  // Of the others nobody knows what they did.
  const known = routesOf(event, today, source?.routes ?? null).filter(({ result }) => result !== null);
  const unmatched = known.filter(isUnmatched);
  const others = known.filter((route) => !isUnmatched(route));
  const left = event.messages_left_out ?? 0;
  const allMessages = <a href={addressOf('/messages', { event: event.id })}>{t.events.messagesAll}</a>;
  const draw = (route: RouteOfEvent) => (
    <Route key={route.name} event={event} route={route} onChanged={onChanged} />
  );
  // The sentence has said all that is known of it.
  if (known.length === 0 && !event.stored) return null;
  return (
    <Panel title={t.events.outcome} aside={event.messages.length > 1 && allMessages}>
      {others.map(draw)}
      {unmatched.length > 0 && (
        <details open={others.length === 0}>
          <summary>{t.events.routes.unmatched(unmatched.length)}</summary>
          {unmatched.map(draw)}
        </details>
      )}
      {left > 0 && (
        <p class="soft">
          {t.events.messagesLeftOut(number(left))} {allMessages}
        </p>
      )}
      {error !== null && (
        <p class="help">
          {t.events.routes.failedPreview} {error}
        </p>
      )}
      <p class="help events-today">
        {canPreview
          ? value !== null && t.events.routes.today(number(event.config_version))
          : event.stored && t.events.routes.unknown}
      </p>
    </Panel>
  );
}

interface RouteProps {
  readonly event: EventDetail;
  readonly route: RouteOfEvent;
  readonly onChanged: () => void;
}

function Route({ event, route, onChanged }: RouteProps) {
  const [shown, setShown] = useState(SHOWN);
  const { name, result, why, failures, messages, template, isThere } = route;
  const left = messages.length - shown;
  return (
    <section class="events-route">
      <header class="flow events-route-head">
        <h3>{name ?? t.events.routes.byHand}</h3>
        {result !== null && <Badge tone={toneOf(result)}>{t.events.routes.results[result]}</Badge>}
        {isThere && name !== null && (
          <For role="editor">
            <a
              class="end small events-route-edit"
              href={
                template === null
                  ? addressOf(`/sources/${encodeURIComponent(event.source)}`)
                  : addressOf(`/templates/${encodeURIComponent(template)}`, { event: event.id })
              }
            >
              {template === null ? t.events.routes.ofSource : t.events.routes.template}
            </a>
          </For>
        )}
      </header>
      {!isThere && <p class="soft">{t.events.routes.gone}</p>}
      {why !== null && <RelayText as="p" class="soft small" text={why} />}
      {failures.map((failure) => (
        <Coded key={failure.reason} as="p" class="soft small bad-text" text={failureText(failure)} />
      ))}
      {messages.slice(0, shown).map((message) => (
        <MessageCard key={message.id} message={message} onDone={onChanged} />
      ))}
      {left > 0 && (
        <Button onClick={() => setShown(shown + 5 * SHOWN)}>
          {t.events.messagesMore(number(Math.min(left, 5 * SHOWN)))}
        </Button>
      )}
    </section>
  );
}

function MessageCard({ message, onDone }: { message: Message; onDone: (message: Message) => void }) {
  const now = useNow(message.waits === undefined ? null : 5_000);
  // The last attempt below says it; nothing is said twice.
  const isSaid = message.waits === undefined && message.reason === message.attempts.at(-1)?.detail;
  const why = isSaid ? '' : whyText(message, now);
  return (
    <article class="box above message-card" aria-label={`${t.messages.one} ${message.id}`}>
      <header class="flow">
        <State of={message.state} />
        <a href={addressOf(`/messages/${message.id}`)} class="message-to">
          {message.phone === null ? t.messages.status : phoneText(message.phone)}
        </a>
        <Time class="end soft small" at={message.sent_at ?? message.created_at} />
      </header>
      {why !== '' && <Coded as="p" class="small" text={why} />}
      <Bubble kind={message.kind} params={message.params} />
      <Attempts attempts={message.attempts} />
      <div class="flow message-actions">
        <MessageActions message={message} onDone={onDone} />
      </div>
    </article>
  );
}
