import { isBuiltIn } from '../../config/compile/actions.ts';
import { DAY } from '../../lib/duration.ts';
import { newEventId, secureRandomBytes } from '../../lib/id.ts';
import { log } from '../../lib/log.ts';
import { parseOwnJson } from '../../lib/own-json.ts';
import { fitsIntoRow } from '../../outbox/state/bytes.ts';
import type { PressPayload } from '../../outbox/links/read-link.ts';
import type { Undo } from '../../outbox/pressing.ts';
import { whoHasMessages } from '../../outbox/incidents/who-has.ts';
import type { Acceptance, DraftMessage, IncidentChange } from '../../outbox/state/acceptance.ts';
import { goesOn } from '../../outbox/state/states.ts';
import { accept, acceptance } from '../accept/accept.ts';
import type { WebhookEvent } from '../request/event.ts';
import { Allowance } from '../routing/allowance.ts';
import { routeEvent, silencing } from '../routing/match.ts';
import { personOf, whoIs } from './person.ts';
import type { Press } from './press-context.ts';
import { silencedUntil } from './silence.ts';

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
