import { isBuiltIn, isSilence, START } from '../../config/compile/actions.ts';
import { DAY, parseDuration, iso } from '../../lib/time.ts';
import { newEventId, secureRandomBytes } from '../../lib/id.ts';
import { log } from '../../lib/log.ts';
import { parseOwnJson } from '../../lib/json.ts';
import {
  fitsIntoRow,
  type Acceptance,
  type DraftMessage,
  type IncidentChange,
} from '../../outbox/state/acceptance.ts';
import type { PressPayload, LinkView } from '../../outbox/links/read-link.ts';
import type { Undo } from '../../outbox/outbox.ts';
import { whoHasMessages } from '../../outbox/incidents/who-has.ts';
import { goesOn } from '../../outbox/state/states.ts';
import { accept, acceptance } from '../accept/accept.ts';
import type { WebhookEvent } from '../request/event.ts';
import { Allowance } from '../routing/allowance.ts';
import { routeEvent, silencing } from '../routing/match.ts';
import { personOf, whoIs, type Press } from './state.ts';
import { BY_HAND } from '../../config/compile/silences.ts';
import { hoursBegin, hoursOf } from '../../config/compiled/hours.ts';
import { registry } from '../../config/registry-client.ts';
import { silencedText } from '../../config/compiled/silenced-text.ts';
import { maskNumbers } from '../../lib/numbers.ts';
import { announce } from '../../outbox/announce.ts';
import { shownTime, type Words, filled } from './page.ts';
import type { Suppression } from '../../registry/api-suppression.ts';

/** The claim of a question lives a little longer than its links, so that a late press finds out who was first (ms). */
const LATER_MS = 7 * DAY;

/**
 * Makes an event of a press, and hands it to the outbox that sent the message. The first press of a question is
 * accepted; others are its duplicates. `undo`: set if the press was taken back. False if the event could not be stored.
 */
export async function takePress(press: Press, undo: Undo | null = null): Promise<boolean> {
  const { env, config, source, account, view, now } = press;
  const payload = payloadOf(press);
  const action = `${view.link.id}${undo === null ? '' : '.undone'}`;
  const event: WebhookEvent = {
    id: newEventId(now, secureRandomBytes),
    source,
    type: `action.${action}`,
    receivedAt: now,
    dedupeKey: undo === null ? view.question : `${view.question}:${undo.event}`,
    signed: null,
    payload,
    headers: {},
    query: {},
  };
  // A person presses, so the limit of the source does not count.
  const results = routeEvent(event, silencing(config, now), new Allowance(null));
  const taken = acceptance(event, results, { config, dedupeFailure: null });
  // When a silence is over, the receivers who are notified of incidents that are still open get the question again.
  const until = undo === null ? silencedUntil(press) : null;
  const windowMs = until === null ? Math.max(0, view.link.until - now) + LATER_MS : until - now;
  const stored: Acceptance = {
    ...taken,
    messages: [...taken.messages, ...othersHear(press, payload.by, undo?.heard ?? null)],
    ...(CHANGES.has(view.link.id) && undo === null && { changes: changesOf(press, payload.by) }),
    event: {
      ...taken.event,
      // A press that no route takes may still have done something.
      ...(isBuiltIn(view.link.id) && taken.event.state === 'unmatched' && { state: 'routed' }),
      isPress: true,
      dedupe: { key: event.dedupeKey ?? '', windowMs },
      ...(!taken.event.stored && { payload: JSON.stringify(keptOf(payload)) }),
    },
  };
  const accepted = await accept(env, config, account, stored);
  if (!accepted.ok) return false;
  const { event: id, duplicate, messages } = accepted.value;
  log('info', 'action.pressed', {
    event: id,
    source: source.id,
    account,
    action,
    message: view.message,
    duplicate,
    messages: messages.length,
  });
  return true;
}

function payloadOf({ source, view }: Press): PressPayload {
  const { link, message, route, about, incidents } = view;
  const [first] = incidents;
  const payload: PressPayload = {
    action: link.id,
    label: link.label ?? link.id,
    route,
    by: personOf({ source, view }),
    message,
    ...(first !== undefined && { incident: first.id }),
    event: about?.event ?? null,
    payload: about === null ? null : parseOwnJson<unknown>(about.payload),
  };
  return fitsIntoRow([JSON.stringify(payload)]) ? payload : { ...payload, payload: null };
}

/** The part of a press that is kept if a source keeps no payloads: who did what, and nothing of the event. */
const keptOf = ({
  action,
  route,
  by,
  message,
}: PressPayload): Pick<PressPayload, 'action' | 'route' | 'by' | 'message'> => ({
  action,
  route,
  by,
  message,
});

/** Actions that change incidents in the commit of their event. */
const CHANGES: ReadonlySet<string> = new Set(['ack', 'resolve']);

const changesOf = (
  { view: { link, source, route, incidents } }: Press,
  by: PressPayload['by'],
): IncidentChange => ({
  change: link.id === 'ack' ? 'acknowledged' : 'resolved',
  incidents: incidents.filter(({ state }) => goesOn(state)).map(({ key }) => ({ source, route, key })),
  by: whoIs(by),
});

/**
 * Makes messages to the others who know of an incident: somebody has it, or, if they heard that before, nobody has it
 * any more.
 */
function othersHear(
  { source, view }: Press,
  by: PressPayload['by'],
  undo: readonly string[] | null,
): readonly DraftMessage[] {
  if (view.link.id !== 'ack') return [];
  const route = source.routes.find(({ name }) => name === view.route);
  return whoHasMessages(view.incidents, {
    route: view.route,
    who: whoIs(by),
    not: by.phone,
    isBack: undo !== null,
    only: undo,
    locale: source.locale.locale,
    maxLength: route?.maxLength,
    priority: route?.delivery.priority,
    forget: source.store === 'metadata',
  });
}

/**
 * Silences the incidents that the pressed message shows as open. Further presses, by anyone, make the same silence, so
 * that a press that was not stored can be repeated. `full`: there are too many silences. Other actions silence nothing.
 */
export async function silenceIncidents(press: Press): Promise<'full' | null> {
  const { env, config, view, now } = press;
  const end = silencedUntil(press);
  if (end === null) return null;
  const { source, route, link, incidents } = view;
  const keys = incidents.flatMap(({ key, state }) => (goesOn(state) ? [key] : []));
  if (keys.length === 0) return null;
  const by = whoIs(personOf(press));
  const document = { of: { source, route, keys }, until: iso(end), reason: link.label ?? link.id };
  const added = await registry(env).addSilence(document, by, now, silenceId(view));
  if (added === null) return 'full';
  await announce(env, config, added.published);
  log('info', 'silence.added', { silence: added.part.id, by });
  return null;
}

/** Ends the silence of a press that is taken back. */
export async function endSilence(press: Press): Promise<void> {
  const { env, config, view, now } = press;
  if (lengthOf(press) === null) return;
  const id = silenceId(view);
  const ended = await registry(env).endSilence(id, now);
  if (ended === null || ended === 'over') return;
  await announce(env, config, ended.published);
  log('info', 'silence.ended', { silence: id, by: ended.part.by });
}

/** What the press of a link silences, and until when, in words; null if it silences nothing, or that has ended. */
export async function silencedBy(
  { env, view, now }: Pick<Press, 'env' | 'view' | 'now'>,
  { locale, texts }: Words,
): Promise<string | null> {
  const { pressed } = view;
  if (pressed === null || !isSilence(pressed.action)) return null;
  const silence = await registry(env).findSilence(silenceId(view), now);
  if (silence === null) return null;
  const more = (count: number): string => filled(texts.more, { count: String(count) });
  const what = maskNumbers(silencedText(silence.document, more));
  return filled(texts.silenced, { what, when: shownTime(Date.parse(silence.document.until), locale) });
}

/** Returns the end of the silence that a press adds (ms); null if it adds none. */
function silencedUntil(press: Press): number | null {
  const length = lengthOf(press);
  return length === null ? null : silenceEnd(length, press.source.locale.timezone, press.now);
}

const lengthOf = ({ source, view }: Press): string | null =>
  source.routes.find(({ name }) => name === view.route)?.actions.find(({ id }) => id === view.link.id)
    ?.silence ?? null;

/** Named after the question, so nobody else can make the same id. */
const silenceId = ({ question }: Press['view']): string => BY_HAND + question.replace('press:', '');

/** Returns the end of a silence that begins now: after a duration, or when the clock reaches a time. All in ms. */
export function silenceEnd(length: string, timezone: string, now: number): number {
  const duration = parseDuration(length);
  if (duration.ok) return now + duration.value;
  const to = length < '12:00' ? '12:00' : '24:00';
  return hoursBegin(hoursOf({ from: length, to }, timezone), now);
}

/**
 * Opts the receiver out, and then makes an event of the press. Another press makes the same event. False if it could
 * not be stored.
 */
export async function stop(press: Press): Promise<boolean> {
  const { env, config, view, now } = press;
  const { phone, message, link } = view;
  if (phone === null) return false;
  const by = whoIs(personOf(press));
  const added = await registry(env).suppress({ phone, by, reason: link.label ?? link.id, message }, now);
  if (added === null) return false;
  await announce(env, config, added.published);
  log('info', 'suppression.added', { phone, by });
  return takePress({ ...press, view: asked(view, added.part) });
}

/**
 * Opts the receiver in again, which makes an event as well. False if the event could not be stored; the receiver then
 * stays opted out. The time from which they may (ms) if they have done that too often.
 */
export async function start(press: Press): Promise<boolean | number> {
  const { env, config, view, now } = press;
  const removed = await registry(env).optIn(view.phone ?? '', now);
  if (removed === null) return true;
  if (typeof removed === 'number') return removed;
  await announce(env, config, removed.published);
  const { at, ...suppression } = removed.part;
  log('info', 'suppression.removed', { phone: suppression.phone, by: suppression.by });
  const link = { id: START, until: view.link.until };
  if (await takePress({ ...press, view: asked({ ...view, link }, removed.part) })) return true;
  const again = await registry(env).suppress(suppression, Math.min(now, Date.parse(at)));
  await announce(env, config, again?.published ?? null);
  return false;
}

/** Each opt-out of a receiver is a question of its own, and so is the opt-in that ends it. */
const asked = (view: LinkView, { at }: Suppression): LinkView => ({
  ...view,
  question: `${view.question}:${view.link.id}:${at}`,
});
