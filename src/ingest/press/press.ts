import { STOP } from '../../config/compile/actions.ts';
import { inLanguage, type LoadedConfig } from '../../config/compiled/config.ts';
import { registry } from '../../config/registry-client.ts';
import type { Suppression } from '../../registry/api-suppression.ts';
import { loadConfig } from '../../config/load.ts';
import { Failures } from '../../lib/failures.ts';
import { describeError, log } from '../../lib/log.ts';
import { retryOnce } from '../../lib/wait.ts';
import { accountsOf } from '../../outbox/state/links.ts';
import { isCanary, type LinkView } from '../../outbox/links/read-link.ts';
import { TOKEN_LENGTH } from '../../render/links.ts';
import {
  busyResponse,
  linkContent,
  pageResponse,
  restContent,
  START_AGAIN,
  TAKE_BACK,
  pressTexts,
} from './page.ts';
import { stateOf, type LinkState, personOf, whoIs, type Press } from './state.ts';
import { endSilence, silencedBy, silenceIncidents, start, stop, takePress } from './take-press.ts';

/** Links that do not work, by the address that asks for them. */
const failures = new Failures();

/** Base-32 digits, as `outbox/state/links.ts` makes them. */
const TOKEN = /^[0-9a-hjkmnp-tv-z]+$/;

/**
 * Handles a press from request to answer. `GET` shows a page and does nothing, since programs open links to preview
 * them. `POST` acts once, and the page then says what was done.
 */
export async function handlePress(request: Request, given: string, env: Env): Promise<Response> {
  const { method } = request;
  if (method !== 'GET' && method !== 'HEAD' && method !== 'POST')
    return new Response(null, { status: 405, headers: { allow: 'GET, HEAD, POST' } });
  const response = await answer(request, given.toLowerCase(), env).catch((thrown: unknown) => {
    // The path contains the token.
    log('error', 'request.failed', { path: '/a', error: describeError(thrown) });
    return failed(env, request.headers.get('accept-language') ?? '', method);
  });
  return method === 'HEAD' ? new Response(null, response) : response;
}

/**
 * The answer when a press was not stored, as far as is known. If a page cannot be shown, its text says nothing about
 * storing: the browser also asks for the page after a press. Without the texts, the status has to be enough.
 */
async function failed(env: Env, locale: string, method: string): Promise<Response> {
  const answered = { status: 503, headers: { 'retry-after': '60' } };
  const texts = await pressTexts(env, locale).catch(() => null);
  if (texts === null) return new Response(null, answered);
  const [title, why] =
    method === 'POST' ? [texts.failed, texts.failedWhy] : [texts.notShown, texts.notShownWhy];
  return pageResponse({ title, lines: [why] }, texts, answered);
}

async function answer(request: Request, token: string, env: Env): Promise<Response> {
  const texts = await pressTexts(env, request.headers.get('accept-language') ?? '');
  const now = Date.now();
  if (token.length < TOKEN_LENGTH && TOKEN.test(token))
    return pageResponse({ title: texts.incomplete, lines: [texts.incompleteWhy] }, texts, { status: 404 });
  const config = await loadConfig(env, now);
  const found = await findLink(env, config, token, request.method === 'POST');
  if (found === null) {
    // Set by Cloudflare on every request. Without it (locally), nobody is limited because of what others try.
    const address = request.headers.get('cf-connecting-ip');
    const limited = address === null ? null : failures.add(address, now);
    return limited === null
      ? pageResponse({ title: texts.unknown, lines: [texts.unknownWhy] }, texts, { status: 404 })
      : busyResponse({ title: texts.busy, lines: [] }, texts, limited.retryAfterSeconds);
  }
  return answerLink(request, { ...found, token, env, config, now });
}

/** A link, and the outbox that it is in. */
type Found = Pick<Press, 'account' | 'view'>;

async function findLink(
  env: Env,
  config: LoadedConfig,
  token: string,
  isPress: boolean,
): Promise<Found | null> {
  if (token.length !== TOKEN_LENGTH || !TOKEN.test(token)) return null;
  for (const account of accountsOf(token, [...config.accounts.keys()])) {
    const view: LinkView | null = await retryOnce(async () => {
      const outbox = env.OUTBOX.getByName(account);
      return isPress ? outbox.pressLink(token) : outbox.readLink(token);
    });
    if (view !== null) return { account, view };
  }
  return null;
}

type PressRequest = Found & Pick<Press, 'env' | 'config' | 'now'> & { readonly token: string };

async function answerLink(request: Request, asked: PressRequest): Promise<Response> {
  const { view, config, now, token } = asked;
  const published = config.sources.get(view.source);
  const source = published && inLanguage(published, view.about?.event.locale);
  const state = stateOf(view, source, now, await stoppedOf(asked));
  const canary = isCanary(view) ? config.accounts.get(asked.account)?.canary : null;
  const locale = source?.locale ?? {
    country: undefined,
    locale: canary?.language ?? 'en',
    timezone: canary?.hours.timezone ?? 'UTC',
  };
  const texts = await pressTexts(asked.env, locale.locale);
  if (request.method !== 'POST') {
    const status = state.kind === 'expired' || state.kind === 'withdrawn' ? 410 : 200;
    const content = linkContent(view, state, { locale, texts }, source?.provider);
    const silenced = await silencedBy(asked, { locale, texts });
    const lines = silenced === null ? content.lines : [...content.lines, silenced];
    return pageResponse({ ...content, lines }, texts, { status });
  }
  const query = new URL(request.url).searchParams;
  const what = query.has(TAKE_BACK) ? 'take back' : query.has(START_AGAIN) ? 'start' : 'press';
  // Whoever wants no more messages can say so at any time: `optIn` limits how often that changes.
  const isOptOut = view.link.id === STOP && state.kind === 'open' && what === 'press';
  const until = isOptOut ? null : view.restsUntil;
  if (until === null && isCanary(view))
    await asked.env.OUTBOX.getByName(asked.account).answerCanary(view.message);
  const done = until ?? (source === undefined || (await act({ ...asked, source }, state, what)));
  if (done === false) return failed(asked.env, locale.locale, request.method);
  if (done === 'full')
    return pageResponse({ title: texts.failed, lines: [texts.full] }, texts, { status: 409 });
  if (done !== true)
    return busyResponse(restContent(done, { locale, texts }), texts, Math.ceil((done - now) / 1_000));
  // The browser gets the page with GET, so *Reload* presses nothing again.
  return new Response(null, { status: 303, headers: { location: token, 'cache-control': 'no-store' } });
}

/**
 * Does what is possible now; otherwise the page says why not. False if it could not be stored; the time from which it
 * is possible again (ms) if it was done too often. `full`: there are too many silences.
 */
async function act(
  press: Press & PressRequest,
  state: LinkState,
  what: 'press' | 'take back' | 'start',
): Promise<boolean | number | 'full'> {
  const { env, account, view, token } = press;
  if (view.link.id === STOP) return actOnStop(press, state, what);
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

/** Does what is possible with an opt-out. A press that was stored only in part is stored again. */
async function actOnStop(
  press: Press,
  state: LinkState,
  what: 'press' | 'take back' | 'start',
): Promise<boolean | number> {
  const isStopped = state.kind === 'stopped' && state.canStart;
  if (what === 'press') return (state.kind !== 'open' && !isStopped) || stop(press);
  return what !== 'start' || !isStopped || start(press);
}

/**
 * Returns the opt-out of the link's receiver. Null if the link is not for opting out, or the receiver has not opted
 * out.
 */
async function stoppedOf({ env, view: { link, phone } }: PressRequest): Promise<Suppression | null> {
  return link.id === STOP && phone !== null ? registry(env).findSuppression(phone) : null;
}
