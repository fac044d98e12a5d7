import { STOP, isBuiltIn, isSilence, START } from '../../config/compile/actions.ts';
import { inLanguage, type LoadedConfig } from '../../config/compiled/config.ts';
import { registry, loadConfig } from '../../config/load.ts';
import type { Suppression } from '../../answers/api-suppression.ts';
import { Failures } from '../../lib/failures.ts';
import { describeError, log } from '../../lib/log.ts';
import { retryOnce } from '../../lib/wait.ts';
import { accountsOf } from '../../outbox/state/links.ts';
import { isCanary, type LinkView, type PressPayload } from '../../outbox/links/read-link.ts';
import { TOKEN_LENGTH } from '../../render/links.ts';
import {
  linkContent,
  pageResponse,
  START_AGAIN,
  TAKE_BACK,
  pressTexts,
  shownTime,
  type Words,
  filled,
  stateOf,
  type LinkState,
  personOf,
  whoIs,
  type Press,
} from './page.ts';
import { DAY, parseDuration, iso } from '../../lib/time.ts';
import { newEventId, secureRandomBytes } from '../../lib/id.ts';
import { parseOwnJson } from '../../lib/json.ts';
import { fitsIntoRow, type Acceptance, type IncidentChange } from '../../outbox/state/acceptance.ts';
import type { Undo } from '../../outbox/outbox.ts';
import { whoHasMessages } from '../../outbox/incidents/who-has.ts';
import { localeOf } from '../../outbox/incidents/rules.ts';
import { goesOn } from '../../schema/states.ts';
import { accept, acceptance } from '../accept/accept.ts';
import type { WebhookEvent } from '../request/event.ts';
import { routeEvent, silencing } from '../routing/match.ts';
import { BY_HAND } from '../../config/compile/silences.ts';
import { hoursBegin, hoursOf } from '../../config/compiled/hours.ts';
import { silencedText } from '../../config/compiled/silenced-text.ts';
import { maskNumbers } from '../../lib/numbers.ts';
import { announce } from '../../outbox/many-outboxes.ts';

/** Links that do not work, by the address that asks for them. */
const failures = new Failures();

/** Base-32 digits, as `outbox/state/links.ts` makes them. */
const TOKEN = /^[0-9a-hjkmnp-tv-z]+$/;

/** `GET` shows a page and does nothing, since programs open links to preview them. `POST` acts once. */
export async function handlePress(request: Request, given: string, env: Env): Promise<Response> {
  const { method } = request;
  if (method !== 'GET' && method !== 'HEAD' && method !== 'POST')
    return new Response(null, { status: 405, headers: { allow: 'GET, HEAD, POST' } });
  const response = await answer(request, given.toLowerCase(), env).catch(async (thrown: unknown) => {
    // The path contains the token.
    log('error', 'request.failed', { path: '/a', error: describeError(thrown) });
    const texts = await pressTexts(env, languagesOf(request)).catch(() => null);
    return texts === null
      ? new Response(null, { status: 503, headers: retryAfter(60) })
      : failed(texts, method);
  });
  return method === 'HEAD' ? new Response(null, response) : response;
}

const languagesOf = ({ headers }: Request): string => headers.get('accept-language') ?? '';

/** Of a GET, it says nothing about storing: the browser also asks for the page after a press. */
function failed(texts: Words['texts'], method: string): Response {
  const [title, why] =
    method === 'POST' ? [texts.failed, texts.failedWhy] : [texts.notShown, texts.notShownWhy];
  return pageResponse({ title, lines: [why] }, texts, 503, retryAfter(60));
}

const retryAfter = (seconds: number) => ({ 'retry-after': String(seconds) });

async function answer(request: Request, token: string, env: Env): Promise<Response> {
  const texts = await pressTexts(env, languagesOf(request));
  const now = Date.now();
  if (token.length < TOKEN_LENGTH && TOKEN.test(token))
    return pageResponse({ title: texts.incomplete, lines: [texts.incompleteWhy] }, texts, 404);
  const config = await loadConfig(env, now);
  const found = await findLink(env, config, token, request.method === 'POST');
  if (found === null) {
    // Set by Cloudflare on every request. Without it (locally), nobody is limited because of what others try.
    const address = request.headers.get('cf-connecting-ip');
    const limited = address === null ? null : failures.add(address, now);
    return limited === null
      ? pageResponse({ title: texts.unknown, lines: [texts.unknownWhy] }, texts, 404)
      : pageResponse({ title: texts.busy, lines: [] }, texts, 429, retryAfter(limited.retryAfterSeconds));
  }
  return answerLink(request, { ...found, token, env, config, now });
}

async function findLink(env: Env, { accounts }: LoadedConfig, token: string, isPress: boolean) {
  if (token.length !== TOKEN_LENGTH || !TOKEN.test(token)) return null;
  for (const account of accountsOf(token, [...accounts.keys()])) {
    const view: LinkView | null = await retryOnce(async () => {
      const outbox = env.OUTBOX.getByName(account);
      return isPress ? outbox.pressLink(token) : outbox.readLink(token);
    });
    if (view !== null) return { account, view };
  }
  return null;
}

async function answerLink(request: Request, asked: Omit<Press, 'source'>): Promise<Response> {
  const { env, account, view, config, now, token } = asked;
  const published = config.sources.get(view.source);
  const source = published && inLanguage(published, view.about?.event.locale);
  const mayBeOut = view.link.id === STOP && view.phone !== null;
  const stopped = mayBeOut ? await registry(env).findSuppression(view.phone) : null;
  const state = stateOf(view, source, now, stopped);
  const canary = isCanary(view) ? config.accounts.get(account)?.canary : null;
  const ofCanary = canary && { locale: canary.language, timezone: canary.hours.timezone };
  const locale = { ...localeOf({ source: source ?? null }), ...ofCanary };
  const texts = await pressTexts(env, locale.locale);
  const words = { locale, texts };
  if (request.method !== 'POST') {
    const status = state.kind === 'expired' || state.kind === 'withdrawn' ? 410 : 200;
    const content = linkContent(view, state, words, source?.provider);
    const lines = [...content.lines, ...(await silenceLines(asked, words))];
    return pageResponse({ ...content, lines }, texts, status);
  }
  const query = new URL(request.url).searchParams;
  const what = query.has(TAKE_BACK) ? 'take back' : query.has(START_AGAIN) ? 'start' : 'press';
  // Whoever wants no more messages can say so at any time: `optIn` limits how often that changes.
  const isOptOut = view.link.id === STOP && state.kind === 'open' && what === 'press';
  const until = isOptOut ? null : view.restsUntil;
  if (until === null && isCanary(view)) await env.OUTBOX.getByName(account).answerCanary(view.message);
  const done = until ?? (source === undefined || (await act({ ...asked, source }, state, what)));
  // The browser gets the page with GET, so *Reload* presses nothing again.
  if (done === true)
    return new Response(null, { status: 303, headers: { location: token, 'cache-control': 'no-store' } });
  if (done === false) return failed(texts, request.method);
  if (done === 'full') return pageResponse({ title: texts.failed, lines: [texts.full] }, texts, 409);
  const lines = [filled(texts.oftenUntil, { when: shownTime(done, locale) })];
  const headers = retryAfter(Math.ceil((done - now) / 1_000));
  return pageResponse({ title: texts.often, lines }, texts, 429, headers);
}

/** False: not stored. A time (ms): done too often, possible again from then on. `full`: too many silences. */
type Done = boolean | number | 'full';

async function act(press: Press, state: LinkState, what: 'press' | 'take back' | 'start'): Promise<Done> {
  const { env, account, view, token } = press;
  if (view.link.id === STOP) {
    const isStopped = state.kind === 'stopped' && state.canStart;
    // A press that was stored only in part is stored again.
    if (what === 'press') return (state.kind !== 'open' && !isStopped) || stop(press);
    return what !== 'start' || !isStopped || start(press);
  }
  if (what === 'press') return state.kind !== 'open' || ((await silenceIncidents(press)) ?? takePress(press));
  if (state.kind === 'pressed') {
    if (!state.canTakeBack) return true;
    // Done before the question is open again: a silence that somebody adds after that has the same name, and must stay.
    // Until it is stored, the page still has the button that does the rest.
    await endSilence(press);
  }
  // If somebody took it back before, they may not have got the answer; the outbox knows.
  const by = whoIs(state.kind === 'pressed' ? state.pressed.by : personOf(press));
  const undo = await retryOnce(async () => env.OUTBOX.getByName(account).takeBack(token, by));
  return undo === null || takePress(press, undo);
}

/** The claim of a question lives a little longer than its links, so that a late press finds out who was first (ms). */
const LATER_MS = 7 * DAY;

/**
 * Makes an event of a press, and hands it to the outbox that sent the message. The first press of a question is
 * accepted; others are its duplicates. `undo`: set if the press was taken back. False if the event could not be stored.
 */
async function takePress(press: Press, undo: Undo | null = null): Promise<boolean> {
  const { env, config, source, account, view, now } = press;
  const payload = payloadOf(press);
  const { route, by, message } = payload;
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
  const results = routeEvent(event, silencing(config, now), 'person');
  const taken = acceptance(event, results, { config, dedupeFailure: null });
  // When a silence is over, the receivers who are notified of incidents that are still open get the question again.
  const until = undo === null ? silencedUntil(press) : null;
  const windowMs = until === null ? Math.max(0, view.link.until - now) + LATER_MS : until - now;
  const changes = undo === null ? changesOf(press, by) : undefined;
  const stored: Acceptance = {
    ...taken,
    messages: [...taken.messages, ...othersHear(press, by, undo?.heard ?? null)],
    ...(changes && { changes }),
    event: {
      ...taken.event,
      // A press that no route takes may still have done something.
      ...(isBuiltIn(view.link.id) && taken.event.state === 'unmatched' && { state: 'routed' }),
      isPress: true,
      dedupe: { key: event.dedupeKey ?? '', windowMs },
      // Who did what, and nothing of the event.
      ...(!taken.event.stored && { payload: JSON.stringify({ action: view.link.id, route, by, message }) }),
    },
  };
  const accepted = await accept(env, config, account, stored);
  if (!accepted.ok) return false;
  const { event: id, duplicate, messages } = accepted.value;
  const what = { event: id, source: source.id, account, action, message };
  log('info', 'action.pressed', { ...what, duplicate, messages: messages.length });
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

/** What the action does to incidents in the commit of its event; undefined: nothing. */
function changesOf({ view }: Press, by: PressPayload['by']): IncidentChange | undefined {
  const { link, source, route } = view;
  if (link.id !== 'ack' && link.id !== 'resolve') return undefined;
  const incidents = view.incidents.filter(({ state }) => goesOn(state));
  const change = link.id === 'ack' ? 'acknowledged' : 'resolved';
  return { change, incidents: incidents.map(({ key }) => ({ source, route, key })), by: whoIs(by) };
}

/** Tells the others who know of an incident that somebody has it, or nobody any more, if they heard that before. */
function othersHear({ source, view }: Press, by: PressPayload['by'], undo: readonly string[] | null) {
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
async function silenceIncidents(press: Press): Promise<'full' | null> {
  const { env, view, now } = press;
  const end = silencedUntil(press);
  if (end === null) return null;
  const { source, route, link, incidents } = view;
  const keys = incidents.flatMap(({ key, state }) => (goesOn(state) ? [key] : []));
  if (keys.length === 0) return null;
  const by = whoIs(personOf(press));
  const document = { of: { source, route, keys }, until: iso(end), reason: link.label ?? link.id };
  const added = await registry(env).addSilence(document, by, now, silenceId(view));
  if (added === null) return 'full';
  await announce(env, added.published);
  log('info', 'silence.added', { silence: added.part.id, by });
  return null;
}

async function endSilence(press: Press): Promise<void> {
  const { env, view, now } = press;
  if (silencedUntil(press) === null) return;
  const id = silenceId(view);
  const ended = await registry(env).endSilence(id, now);
  if (ended === null || ended === 'over') return;
  await announce(env, ended.published);
  log('info', 'silence.ended', { silence: id, by: ended.part.by });
}

/** What the press of a link silences, and until when, in words; none if it silences nothing, or that has ended. */
async function silenceLines({ env, view, now }: Omit<Press, 'source'>, { locale, texts }: Words) {
  const isOne = view.pressed !== null && isSilence(view.pressed.action);
  const silence = isOne ? await registry(env).findSilence(silenceId(view), now) : null;
  if (silence === null) return [];
  const more = (count: number): string => filled(texts.more, { count: String(count) });
  const what = maskNumbers(silencedText(silence.document, more));
  return [filled(texts.silenced, { what, when: shownTime(Date.parse(silence.document.until), locale) })];
}

/** Returns the end of the silence that a press adds (ms); null if it adds none. */
function silencedUntil({ source, view, now }: Press): number | null {
  const { actions = [] } = source.routes.find(({ name }) => name === view.route) ?? {};
  const length = actions.find(({ id }) => id === view.link.id)?.silence ?? null;
  return length === null ? null : silenceEnd(length, source.locale.timezone, now);
}

/** Named after the question, so nobody else can make the same id. */
const silenceId = ({ question }: Press['view']): string => BY_HAND + question.replace('press:', '');

/** Returns the end of a silence that begins now: after a duration, or when the clock reaches a time. All in ms. */
export function silenceEnd(length: string, timezone: string, now: number): number {
  const duration = parseDuration(length);
  if (duration.ok) return now + duration.value;
  const to = length < '12:00' ? '12:00' : '24:00';
  return hoursBegin(hoursOf({ from: length, to }, timezone), now);
}

/** Opts the receiver out, then makes an event of the press; again the same event. False if not stored. */
async function stop(press: Press): Promise<boolean> {
  const { env, view, now } = press;
  const { phone, message, link } = view;
  if (phone === null) return false;
  const by = whoIs(personOf(press));
  const added = await registry(env).suppress({ phone, by, reason: link.label ?? link.id, message }, now);
  if (added === null) return false;
  await announce(env, added.published);
  log('info', 'suppression.added', { phone, by });
  return takePress({ ...press, view: asked(view, added.part) });
}

/**
 * Opts the receiver in again, which makes an event as well. False if the event could not be stored; the receiver then
 * stays opted out. The time from which they may (ms) if they have done that too often.
 */
async function start(press: Press): Promise<boolean | number> {
  const { env, view, now } = press;
  const removed = await registry(env).optIn(view.phone ?? '', now);
  if (removed === null) return true;
  if (typeof removed === 'number') return removed;
  await announce(env, removed.published);
  const { at, ...suppression } = removed.part;
  log('info', 'suppression.removed', { phone: suppression.phone, by: suppression.by });
  const link = { id: START, until: view.link.until };
  if (await takePress({ ...press, view: asked({ ...view, link }, removed.part) })) return true;
  const again = await registry(env).suppress(suppression, Math.min(now, Date.parse(at)));
  await announce(env, again?.published ?? null);
  return false;
}

/** Each opt-out of a receiver is a question of its own, and so is the opt-in that ends it. */
const asked = (view: LinkView, { at }: Suppression): LinkView => ({
  ...view,
  question: `${view.question}:${view.link.id}:${at}`,
});
