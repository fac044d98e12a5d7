import { isBuiltIn, isOfIncidents, isSilence, START, STOP } from '../config/compile/actions.ts';
import { receiversOf } from '../config/compile/alerting.ts';
import { BY_HAND } from '../config/compiled/silences.ts';
import { inLanguage, type LoadedConfig, type Source } from '../config/compiled/config.ts';
import { hoursBegin, hoursOf } from '../config/compiled/hours.ts';
import { silencedText } from '../config/compiled/silenced-text.ts';
import { registry, loadConfig } from '../config/load.ts';
import type { Suppression } from '../answers/api-registry.ts';
import { assetText } from '../lib/bindings.ts';
import { Failures } from '../lib/failures.ts';
import { newEventId, secureRandomBytes } from '../lib/id.ts';
import { parseOwnJson } from '../lib/json.ts';
import { describeError, log } from '../lib/log.ts';
import { maskNumber, maskNumbers } from '../lib/numbers.ts';
import { personName } from '../lib/person-name.ts';
import { isGerman } from '../lib/text.ts';
import { DAY, iso, parseDuration } from '../lib/time.ts';
import { retryOnce } from '../lib/wait.ts';
import { localeOf } from '../outbox/incidents/rules.ts';
import { whoHasMessages } from '../outbox/incidents/who-has.ts';
import {
  canTakeBack,
  isCanary,
  type LinkView,
  type Pressed,
  type PressPayload,
} from '../outbox/links/read-link.ts';
import { announce } from '../outbox/many-outboxes.ts';
import type { Undo } from '../outbox/outbox.ts';
import { fitsIntoRow, type Acceptance, type IncidentChange } from '../outbox/state/acceptance.ts';
import { accountsOf } from '../outbox/state/links.ts';
import type { Provider } from '../provider/provider.ts';
import { LINK_PATH, TOKEN_LENGTH } from '../render/links.ts';
import { goesOn } from '../schema/states.ts';
import type { Locale } from '../template/basics/locale.ts';
import { formatDateTime } from '../template/filters/dates.ts';
import { accept, acceptance } from './accept/accept.ts';
import { pageHeaders, pageHtml, type PageContent } from './form/page.ts';
import type { WebhookEvent } from './request/event.ts';
import { routeEvent, silencing } from './routing/match.ts';
import type english from '../../assets/actions/en.json';

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
  const what = query.has(TAKE_BACK) ? 'take back' : query.has(START) ? 'start' : 'press';
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

interface Press {
  readonly env: Env;
  readonly config: LoadedConfig;
  readonly source: Source;
  /** The account whose outbox has the message. */
  readonly account: string;
  readonly view: LinkView;
  readonly token: string;
  readonly now: number;
}

/** Returns the person who pressed: the receiver of the message, with their name in the lists of its route. */
function personOf({ source, view }: Pick<Press, 'source' | 'view'>): PressPayload['by'] {
  const { route, phone } = view;
  const found = source.routes.find((one) => one.name === route);
  const lists = found === undefined ? [] : receiversOf(found);
  const [name] = lists.flatMap((to) =>
    to.from === 'document' && phone !== null ? (to.names?.get(phone) ?? []) : [],
  );
  return { phone, ...(name !== undefined && { name }) };
}

/** Returns a person as the others in the same list see them. */
const whoIs = ({ name, phone }: PressPayload['by']): string => name ?? maskNumber(phone ?? '');

/** The query that takes a press back; `start` lets a receiver who has opted out opt in again. */
const TAKE_BACK = 'undo';

type Words = Readonly<{ locale: Locale; texts: PressTexts }>;

function shownTime(ms: number, locale: Locale): string {
  const made = formatDateTime(iso(ms), 'medium', locale);
  return made.ok ? made.value : iso(ms);
}

/** Providers whose names name no sender. */
const NAMELESS: ReadonlySet<string> = new Set(['generic', 'html-form']);

/** Returns the content of a link's page in its current state. `provider`: that of its source; absent: it is gone. */
export function linkContent(
  view: LinkView,
  state: LinkState,
  { locale, texts }: Words,
  provider?: Pick<Provider, 'id' | 'name'>,
): PageContent {
  const said = (text: string, at: number | string, words = {}): string =>
    filled(text, { ...words, when: shownTime(new Date(at).getTime(), locale) });
  const { link } = view;
  const quote = saidBy(view);
  const page = (title: string, ...lines: readonly string[]): PageContent => ({ title, lines, quote });
  if (state.kind === 'expired') return page(texts.expired, said(texts.expiredAt, link.until));
  if (state.kind === 'resolved')
    return page(texts.resolved, ...(state.at === null ? [] : [said(texts.resolvedAt, state.at)]));
  if (state.kind === 'lost') return page(texts.lost, texts.lostWhy);
  if (state.kind === 'withdrawn') return page(texts.withdrawn);
  if (state.kind === 'taken') {
    const who = maskNumbers(personName(state.by) ?? texts.somebody);
    return page(texts.taken, said(texts.takenBy, state.at, { who }));
  }
  if (state.kind === 'stopped') {
    const button = { text: texts.start, query: `?${START}`, isQuiet: true };
    const lines = [said(texts.stoppedSince, state.at)];
    return { title: texts.stopped, lines, ...(state.canStart && { button }) };
  }
  if (state.kind === 'pressed') {
    const { pressed, isOwn } = state;
    const label = pressed.label ?? pressed.action;
    const who = pressed.by.phone === null ? texts.somebody : whoIs(pressed.by);
    const line = said(isOwn ? texts.you : texts.other, pressed.at, { who, label });
    const button = { text: texts.takeBack, query: `?${TAKE_BACK}`, isQuiet: true };
    return { ...page(isOwn ? texts.done : texts.answered, line), ...(state.canTakeBack && { button }) };
  }
  const sender = provider === undefined || NAMELESS.has(provider.id) ? view.source : provider.name;
  const title = isCanary(view) ? 'hookbell' : `${texts.from} ${sender}`;
  const lines = [...(link.id === STOP ? [texts.stop] : []), ...(quote === '' ? [texts.notKept] : [])];
  const button = { text: link.label ?? link.id, query: '?', isQuiet: false };
  return { ...page(title, ...lines), button };
}

const NO_TEXT = /url$/;

/** What a message said, without its own links, and lines that only name their buttons: the page has those. */
function saidBy({ params, own }: LinkView): string {
  const texts = Object.entries(params).flatMap(([name, text]) => (NO_TEXT.test(name) ? [] : [text]));
  const lines = texts.join('\n\n').split('\n');
  const bare = lines.map((line) => own.reduce((rest, { token }) => withoutLink(rest, token), line));
  const isLabel = (text: string): boolean => {
    const plain = text.trim().replace(/:$/, '');
    // A template spells out the unit that a button abbreviates.
    const short = plain.replace(/ (?:hours|Stunden)\b/, ' h');
    return own.some(({ label }) => label.startsWith(short));
  };
  const others = bare.filter((line, at) => line === lines[at] || !isLabel(line));
  const shown = (others.some((line) => line.trim() !== '') ? others : bare).join('\n');
  return shown.replaceAll(/\n{3,}/g, '\n\n').trim();
}

function withoutLink(line: string, token: string): string {
  const end = line.indexOf(LINK_PATH + token);
  if (end < 0) return line;
  const start = line.lastIndexOf('http', line.lastIndexOf('://', end));
  return line.slice(0, start) + withoutLink(line.slice(end + LINK_PATH.length + token.length), token);
}

/** In no other page's frame: a click meant for something else would press its button. */
export const pageResponse = (content: PageContent, texts: PressTexts, status = 200, more = {}): Response =>
  new Response(pageHtml(texts, content), {
    status,
    headers: { ...pageHeaders([], content.button !== undefined), 'x-robots-tag': 'noindex', ...more },
  });

/** An asset for each language. `{word}` is replaced when a page is made. */
type PressTexts = Readonly<typeof english>;

const read = new Map<string, PressTexts>();

/** For a locale, or a browser's accepted languages; English by default. Rejects if they cannot be read. */
export async function pressTexts({ ASSETS }: Pick<Env, 'ASSETS'>, locale: string): Promise<PressTexts> {
  const language = isGerman(locale) ? 'de' : 'en';
  const texts =
    read.get(language) ?? parseOwnJson<PressTexts>(await assetText(ASSETS, `actions/${language}.json`));
  read.set(language, texts);
  return texts;
}

export const filled = (text: string, words: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => words[name] ?? '');

/** Times are ISO 8601. */
type LinkState = Readonly<
  /**
   * `lost`: nothing is known of the incidents any more, or of one of them; none goes on, as far as is known.
   * `withdrawn`: the source, the route or the action is not in the configuration any more; for `stop`, the source.
   */
  | { kind: 'open' | 'expired' | 'lost' | 'withdrawn' }
  | { kind: 'pressed'; pressed: Pressed; isOwn: boolean; canTakeBack: boolean }
  /** For incidents: somebody has them, or nobody needs to. */
  | { kind: 'taken'; by: string; at: string }
  | { kind: 'resolved'; at: string | null }
  /** For `stop`: the receiver has opted out. `canStart`: they did so through such a link, so they can opt in again. */
  | { kind: 'stopped'; at: string; canStart: boolean }
>;

/** `source`: the one in force. `now` in ms. `stopped`: the receiver's opt-out, if the link is for that. */
export function stateOf(
  view: LinkView,
  source: Source | undefined,
  now: number,
  stopped: Suppression | null = null,
): LinkState {
  const { link, message, pressed, route } = view;
  if (stopped !== null) {
    const canStart = stopped.message !== undefined && source !== undefined;
    return { kind: 'stopped', at: stopped.at, canStart };
  }
  if (pressed !== null) {
    const isOwn = pressed.message === message && pressed.action === link.id;
    return { kind: 'pressed', pressed, isOwn, canTakeBack: canTakeBack(view, now) };
  }
  const byTime: LinkState = { kind: now < link.until ? 'open' : 'expired' };
  if (isCanary(view)) return byTime;
  const actions = source?.routes.find(({ name }) => name === route)?.actions ?? [];
  // Whoever got the link can use it to opt out, even if its route has another name by now.
  const isAsked = link.id === STOP ? source !== undefined : actions.some(({ id }) => id === link.id);
  if (!isAsked) return { kind: 'withdrawn' };
  return (isOfIncidents(link.id) ? settledBy(view) : null) ?? byTime;
}

/** Returns the reason why incidents need no press; null if there is none. */
function settledBy({ link, incidents }: LinkView): LinkState | null {
  const open = incidents.filter(({ state }) => goesOn(state));
  if (open.length === 0 && incidents.some(({ state }) => state !== 'resolved')) return { kind: 'lost' };
  if (open.length === 0) return { kind: 'resolved', at: incidents.at(-1)?.resolvedAt ?? null };
  const [first] = open;
  const isTaken = link.id === 'ack' && open.every(({ acknowledged }) => acknowledged !== null);
  return isTaken && first?.acknowledged ? { kind: 'taken', ...first.acknowledged } : null;
}
