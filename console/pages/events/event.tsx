import { useRef, useState } from 'preact/hooks';
import { get } from '../../api/client.ts';
import { may } from '../../api/session.ts';
import type { EventDetail, Frame, Message } from '../../api/types.ts';
import { seenText } from '../../lib/hidden.ts';
import { useKeys } from '../../lib/keys.ts';
import { useLive } from '../../lib/live.ts';
import { useLoad } from '../../lib/load.ts';
import { addressOf, goBack } from '../../lib/router.ts';
import { useSoon } from '../../lib/soon.ts';
import { PayloadPanel } from '../../parts/payload/payload.tsx';
import { useSources } from '../../parts/sources.ts';
import { scopesOfEvent } from '../../parts/silence/scopes.ts';
import { SilenceButton } from '../../parts/silence/silence.tsx';
import { t } from '../../texts/texts.ts';
import { Button, Empty, Loading, PageHead, Trouble } from '../../ui/basics.tsx';
import { useSession } from '../../ui/session.tsx';
import { Outcome, Sentence } from './outcome.tsx';
import { EventFacts } from './event-facts.tsx';
import { Items } from './items.tsx';
import { ReplayDialog } from './replay.tsx';
import { notificationsOf } from './trip-steps.ts';
import { SHOWN, Trip } from './trip.tsx';

interface LoadedEvent {
  readonly event: EventDetail;
  readonly notifications: readonly Message[];
}

async function load(id: string, signal: AbortSignal): Promise<LoadedEvent> {
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

/** One event: its payload, its outcome, and a button that sends it again. */
export function EventPage({ id = '' }: { readonly id?: string }) {
  const { value, error, status, again } = useLoad(id, (signal) => load(id, signal));
  const event = value?.event ?? null;
  const source = useSources().find(({ id }) => id === event?.source);
  const [isAsking, setAsking] = useState(false);
  const session = useSession();
  const soon = useSoon(again);
  useLive(event !== null, (frame) => {
    if (frame === null || isAbout(frame, event)) soon();
  });
  const canReplay = event !== null && event.stored && may(session.role, 'operator');
  useKeys([
    { key: 'u', label: t.events.keyBack, run: () => goBack('/events') },
    ...(canReplay ? [{ key: 'r', label: t.events.keyReplay, run: () => setAsking(true) }] : []),
  ]);
  const title = useRef<string>(t.events.one);
  if (event !== null) title.current = seenText(event.subject) ?? event.type ?? event.source;
  return (
    <>
      <PageHead title={title.current} back={addressOf('/events')}>
        {event !== null && (
          <div class="act-bar">
            <SilenceButton scopes={scopesOfEvent(event)} />
            {canReplay && (
              <Button icon="retry" look="main" onClick={() => setAsking(true)}>
                {t.events.replayButton}
              </Button>
            )}
          </div>
        )}
      </PageHead>
      {status === 404 && <Empty title={t.events.gone}>{t.events.goneText}</Empty>}
      {error !== null && status !== 404 && <Trouble error={error} again={again} />}
      {event === null && error === null && <Loading />}
      {value !== null && event !== null && (
        <>
          <Sentence event={event} source={source} />
          <EventFacts event={event} />
          <div class="events-columns">
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
