import { useState } from 'preact/hooks';
import { preview } from '../../api/client.ts';
import type { EventDetail, Message } from '../../api/types.ts';
import { clock, number, phoneText } from '../../lib/format.ts';
import { useLoad } from '../../lib/load.ts';
import { addressOf } from '../../lib/router.ts';
import { Attempts, MessageActions } from '../../parts/message.tsx';
import { whyText } from '../../parts/message-words.ts';
import type { SourceRoutes } from '../../parts/sources.ts';
import { failureText, faultText } from '../../texts/relay-texts.ts';
import { t } from '../../texts/texts.ts';
import { Badge, Button, Panel, State, Time, type Tone, useNow } from '../../ui/basics.tsx';
import { Bubble } from '../../ui/bubble.tsx';
import { Coded, RelayText } from '../../ui/text.tsx';
import { For, useMay } from '../../ui/session.tsx';
import { type RouteOfEvent, routesOf } from './outcomes.ts';
import type { SentenceLanguage } from './sentence.ts';

/** The messages of a route that are drawn before somebody asks for more. */
const SHOWN = 10;

const TONES: Readonly<Record<NonNullable<RouteOfEvent['result']>, Tone>> = {
  matched: 'good',
  not_matched: 'calm',
  not_reached: 'calm',
  failed: 'bad',
};

export const LANGUAGE: SentenceLanguage = {
  words: t.events.sentence,
  status: t.send.everybody,
  andMore: t.common.andMore,
  time: (at) => clock(at, Date.now()),
  number,
  phone: phoneText,
  faultText,
};

/** A route that had nothing to do with the event. */
const isUnmatched = ({ result, messages }: RouteOfEvent): boolean =>
  (result === 'not_matched' || result === 'not_reached') && messages.length === 0;

interface OutcomeProps {
  readonly event: EventDetail;
  /** The event's source. Undefined if it is not known. */
  readonly source: SourceRoutes | undefined;
  readonly onChanged: () => void;
}

/** The routes that matched an event, with their messages, and the reasons why the others did not match. */
export function Outcome({ event, source, onChanged }: OutcomeProps) {
  const canPreview = useMay('operator') && event.stored;
  const { value, error } = useLoad(`preview ${event.id} ${canPreview}`, () => {
    const { payload, headers, query, source } = event;
    return canPreview ? preview(source, { payload, headers, query }) : Promise.resolve(null);
  });
  const routes = routesOf({
    event,
    today: value !== null && 'routes' in value ? value.routes : null,
    configured: source?.routes ?? null,
  });
  // Of the others nobody knows what they did.
  const known = routes.filter(({ result }) => result !== null);
  const unmatched = known.filter(isUnmatched);
  const others = known.filter((route) => !isUnmatched(route));
  const left = event.messages_left_out ?? 0;
  // The sentence has said all that is known of it.
  if (known.length === 0 && !event.stored) return null;
  return (
    <Panel
      title={t.events.outcome}
      aside={
        event.messages.length > 1 && (
          <a href={addressOf('/messages', { event: event.id })}>{t.events.messagesAll}</a>
        )
      }
    >
      {others.map((route) => (
        <Route key={route.name} event={event} route={route} onChanged={onChanged} />
      ))}
      {unmatched.length > 0 && (
        <details open={others.length === 0}>
          <summary>{t.events.routes.unmatched(unmatched.length)}</summary>
          {unmatched.map((route) => (
            <Route key={route.name} event={event} route={route} onChanged={onChanged} />
          ))}
        </details>
      )}
      {left > 0 && (
        <p class="soft">
          {t.events.messagesLeftOut(number(left))}{' '}
          <a href={addressOf('/messages', { event: event.id })}>{t.events.messagesAll}</a>
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
        {result !== null && <Badge tone={TONES[result]}>{t.events.routes.results[result]}</Badge>}
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

/** A message below its event: as the phone shows it, with all that was tried. */
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
