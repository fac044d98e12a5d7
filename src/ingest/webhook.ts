import type { Source } from '../config/compiled/config.ts';
import type { FormRules } from '../config/compiled/form-rules.ts';
import type { FieldCode } from '../lib/api-codes.ts';
import { assetText } from '../lib/bindings.ts';
import { loadConfig } from '../config/load.ts';
import { sourceSecret } from '../config/secrets/named-secrets.ts';
import { secureRandomBytes } from '../lib/id.ts';
import { isObject, parseOwnJson } from '../lib/json.ts';
import { fieldError, problemResponse, type Problem } from '../lib/problem.ts';
import { err, ok, type Result } from '../lib/result.ts';
import { isGerman } from '../lib/text.ts';
import { bytesOf, fitsIntoRow, type Receipt } from '../outbox/state/acceptance.ts';
import { holds, type LookupFacts } from '../provider/lookup.ts';
import type { Provider } from '../provider/provider.ts';
import type { Spam } from '../registry/rejections.ts';
import {
  NOT_ACCEPTED,
  refuseKnown,
  refuseLimited,
  takeEvent,
  tooLarge,
  type NotAccepted,
} from './accept/accept.ts';
import { checkedForm, identifyForm, ownOf, faultsText, type OwnFields } from './form/fields.ts';
import { pageHeaders, pageHtml, type PageContent } from './form/page.ts';
import { ENGLISH, faultText, type FormTexts, type FaultCode, type FormFault } from './form/texts.ts';
import { addressCode, judge, MOMENT_PATH, newMoment, recordSpam } from './form/spam.ts';
import { greet, greetVerified, type GreetContext } from './handshake.ts';
import {
  BODY_TOO_LARGE,
  BodyMemory,
  arrivalOf,
  receive,
  wrongMethod,
  type Address,
  type Receiving,
} from './request/receive.ts';
import { type Arrival, type VerifiedRequest, identify } from './request/event.ts';
import { recordRejection, recordStray, refuse, rejectedBy, type Waiter } from './request/reject.ts';
import { checkSender, verifiedRequest, withPayload, type Rejected } from './request/verify.ts';

/** What the steps of one request have in common. */
type Trip = Receiving & GreetContext & Readonly<{ request: Request; address: Address }>;

/** Handles a webhook: receive → verify → parse → match → render → accept. The outbox sends. */
export async function handleWebhook(
  request: Request,
  address: Address,
  env: Env,
  ctx: Waiter,
): Promise<Response> {
  const now = Date.now();
  const config = await loadConfig(env, now);
  const memory = new BodyMemory(now);
  const trip = { request, address, config, env, ctx, fetch, now, memory };
  const source = config.sources.get(address.sourceId);
  try {
    return source?.form ? await handleForm(source, source.form, trip) : await handleEvent(trip);
  } finally {
    memory.release();
  }
}

async function handleEvent(trip: Trip): Promise<Response> {
  const opened = await open(trip);
  if (!opened.ok) return opened.error;
  const { verified, bytes } = opened.value;
  const event = { ...identify(verified, secureRandomBytes), bodyBytes: bytes };
  const taken = await takeEvent(event, trip.env, trip.config, trip.now);
  return taken.ok
    ? answerEvent(verified.source, verified.facts, taken.value)
    : notTaken(taken.error, verified, bytes, trip);
}

/** `bytes`: the size of its body. */
type Opened = Readonly<{ verified: VerifiedRequest; bytes: number }>;

/** The verified request with its body parsed; or else the answer: to a handshake, or why it is refused. */
async function open(trip: Trip): Promise<Result<Opened, Response>> {
  const { request, address, config, env, ctx, now } = trip;
  const received = await receive(request, address, trip);
  if (!received.ok) {
    const { problem, arrival } = received.error;
    if (arrival !== null) return err(refuse(arrival, rejectedBy(problem, arrival.source), trip));
    recordStray(request.method, address.sourceId, config, trip, now);
    return err(problemResponse(problem));
  }
  const raw = received.value;
  const { source } = raw;
  const greeted = await greet(raw, trip);
  if (greeted !== null) return err(greeted);

  const reject = (rejected: Rejected): Result<never, Response> => {
    recordRejection(env, ctx, raw, rejected);
    return err(answerRefusal(source.provider, rejected.problem));
  };
  const sender = await checkSender(raw, now);
  if (!sender.ok) return reject(sender.error);
  const bytes = raw.body.byteLength;
  // A handshake is never limited, so a signed one has to be recognised first.
  const mayGreet = source.provider.handshakes?.some(({ proof }) => proof.by === 'signature') === true;
  const known = mayGreet ? null : refuseKnown(source, bytes, trip, now);
  if (known !== null) return err(known);
  const verified = await verifiedRequest(sender.value);
  if (!verified.ok) return reject(verified.error);
  const answer = mayGreet
    ? ((await greetVerified(verified.value, trip)) ?? refuseKnown(source, bytes, trip, now))
    : null;
  return answer === null ? ok({ verified: verified.value, bytes }) : err(answer);
}

function notTaken({ problem, refusal }: NotAccepted, arrival: Arrival, bytes: number, trip: Trip): Response {
  const { source } = arrival;
  if (problem.status === 413)
    return refuse(arrival, rejectedBy({ ...problem, ...BODY_TOO_LARGE }, source), trip);
  return refusal === null || refusal.by === 'storage'
    ? problemResponse(problem)
    : refuseLimited(source, bytes, refusal, trip, trip.now);
}

/** The page's origin is checked in place of a secret, and the visitor reads the answer. */
async function handleForm(source: Source, form: FormRules, trip: Trip): Promise<Response> {
  const { request, address, env, now } = trip;
  const visitor = await visitorOf(request, form, source.locale.locale, env);
  const asksMoment = address.pathToken === MOMENT_PATH && form.spam.minMs !== null;
  const method = asksMoment ? 'GET' : 'POST';
  const refuseUnread = (rejected: Rejected): Response =>
    answerRefused(visitor, refuse(arrivalOf(request, address, source, trip), rejected, trip));
  if (request.method !== method && request.method !== 'OPTIONS')
    return refuseUnread(rejectedBy(wrongMethod(request.method, [method]), source));
  if (!mayPost(form, visitor.origin)) {
    await request.body?.cancel();
    return refuseUnread(wrongPage(visitor.origin));
  }
  if (request.method === 'OPTIONS') return preflight(form, visitor.origin);
  if (asksMoment) {
    const headers = { ...HEADERS, 'content-type': 'text/plain' };
    return forScript(visitor, new Response(newMoment(env, source.id, now), { headers }));
  }
  const read = await readForm(visitor, trip);
  return read.ok ? takeForm(read.value, trip) : read.error;
}

/** A form without faults. Nothing else of its body is kept. `visitor`: in the language that the form names. */
type ReadForm = Opened & Readonly<{ own: OwnFields; visitor: Visitor }>;

/** The fields are copied, since a part of a text may keep all of it in memory while later steps wait for servers. */
async function readForm(asking: Visitor, trip: Trip): Promise<Result<ReadForm, Response>> {
  const { env, ctx, memory } = trip;
  const { rules } = asking;
  const opened = await open(trip);
  if (!opened.ok) return err(answerRefused(asking, opened.error));
  const { verified, bytes } = opened.value;
  const { payload: sent } = verified.facts;
  if (!isObject(sent)) return err(answerRefused(asking, refuse(verified, NO_FIELDS, trip)));
  let visitor = asking;
  if (verified.source.language !== null) {
    const { event } = identify(verified, secureRandomBytes);
    visitor = { ...asking, texts: await formTexts(env, event.source.locale.locale) };
  }
  const checked = checkedForm(verified);
  if (!checked.ok) {
    const detail = faultsText(checked.error, rules, sent);
    const field = checked.error[0]?.field.name;
    const problem = { ...FAULTS, detail: '' };
    recordRejection(env, ctx, verified, { problem, code: 'form-faults', detail, field });
    return err(answerFaults(visitor, checked.error));
  }
  const kept = JSON.stringify([checked.value.facts.payload, ownOf(rules, sent)]);
  const [payload, own] = parseOwnJson<[unknown, OwnFields]>(kept);
  memory.release();
  memory.reserve(bytesOf([kept]));
  return ok({ verified: withPayload(checked.value, payload), own, visitor, bytes });
}

async function takeForm({ verified, own, visitor, bytes }: ReadForm, trip: Trip): Promise<Response> {
  const { config, env, now } = trip;
  const { source, facts } = verified;
  const { rules } = visitor;
  const reject = (rejected: Rejected): Response => answerRefused(visitor, refuse(verified, rejected, trip));
  const judged = await judge(
    { source, rules, own, payload: facts.payload, receivedAt: now },
    { env, turnstileSecret: sourceSecret(env, rules.spam.turnstile ?? ''), fetch },
  );
  if (!judged.ok) return reject({ problem: NOT_ACCEPTED, ...judged.error });

  const next = nextPage(rules, own.next, visitor.origin);
  const identified = identifyForm(verified, secureRandomBytes);
  const { event } = identified;
  const answerSpam = async (spam: Spam): Promise<Response> => {
    const parts = [facts.payload, event.headers, event.query].map((part) => JSON.stringify(part));
    if (!fitsIntoRow(parts)) return reject(rejectedBy(tooLarge(bytesOf(parts)), source));
    const id = await recordSpam(trip, event, spam, answerTaken(visitor, event.id, next).status);
    return id === null
      ? answerRefused(visitor, problemResponse(NOT_ACCEPTED))
      : answerTaken(visitor, id, next);
  };
  if (judged.value !== null) return answerSpam(judged.value);

  const { perHour } = rules.spam;
  const code = perHour === null ? null : addressCode(env, source.id, verified, now);
  // None if an address may send any number, or the platform does not give the address.
  const address = perHour === null || code === null ? undefined : { code, perHour };
  const taken = await takeEvent({ ...identified, bodyBytes: bytes, address }, env, config, now);
  if (taken.ok) return answerTaken(visitor, taken.value.event, next);
  if (taken.error.refusal?.by === 'address') {
    const detail = `its address has sent ${perHour} forms within an hour, as many as \`per_address\` allows`;
    return answerSpam({ kind: 'address', detail });
  }
  return answerRefused(visitor, notTaken(taken.error, verified, bytes, trip));
}

const HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
/** In the platform's own form: converting an object takes as long as the rest of an answer. */
const JSON_HEADERS = new Headers({ ...HEADERS, 'content-type': 'application/json' });

/** The answer to a request that is not accepted as coming from its sender. */
export function answerRefusal({ bare_refusals: isBare }: Provider, problem: Problem): Response {
  if (isBare !== true) return problemResponse(problem);
  const { status, headers } = problem;
  return new Response(null, { status, headers: { ...HEADERS, ...headers } });
}

/** Some providers keep sending until they get exactly the answer that they expect. */
export function answerEvent(
  { provider }: Pick<Source, 'provider'>,
  facts: LookupFacts,
  receipt: Receipt,
): Response {
  const fits = ({ when = [] }: NonNullable<Provider['answers']>[number]) =>
    when.every((one) => holds(one, facts));
  const answer = provider.answers?.find(fits);
  const status = answer?.status ?? 202;
  // Without a body (RFC 9110 §15.3.5): `Response` throws when it gets one.
  if (status === 204 || status === 205) return new Response(null, { status, headers: HEADERS });
  if (answer?.body === undefined)
    return new Response(JSON.stringify(receipt), { status, headers: JSON_HEADERS });
  const type = answer.content_type ?? 'text/plain; charset=utf-8';
  return new Response(answer.body, { status, headers: { ...HEADERS, 'content-type': type } });
}

/** The rejection of a page that may not post: most often it is the owner's own under another name (`www.`). */
function wrongPage(origin: string | null): Rejected {
  // Programs without a page must not hide a page that has another name: rejections with one reason become one row.
  if (origin === null || origin === 'null') {
    const detail = 'the browser does not say which page it is on, which only `origins: any` allows';
    return { problem: FORBIDDEN, code: 'no-origin', detail };
  }
  // Only a browser's is shown: anybody else may send anything.
  const isOrigin = origin.length <= 100 && URL.parse(origin)?.origin === origin;
  const detail = `the page is on ${isOrigin ? origin : 'an invalid address'}, which is not one of \`origins\``;
  return { problem: FORBIDDEN, code: 'origin', detail };
}

const FORBIDDEN: Problem = {
  status: 403,
  type: 'origin-refused',
  title: 'Page not allowed',
  detail: 'This form does not accept posts from that page.',
};

const NO_FIELDS: Rejected = {
  problem: {
    status: 400,
    type: 'malformed-body',
    detail: 'Send the form’s fields URL-encoded, as multipart, or as a JSON object.',
  },
  code: 'malformed-body',
  detail: 'the body is not an object of fields',
};

/** The recipient of the answer: a browser that shows pages, or a script. */
type Visitor = Awaited<ReturnType<typeof visitorOf>>;

async function visitorOf({ headers }: Request, rules: FormRules, locale: string, env: Env) {
  const origin = headers.get('origin');
  // The page that contains the form, as far as the browser says.
  const url = URL.parse(headers.get('referer') ?? origin ?? '');
  const isOwn = url !== null && /^https?:$/.test(url.protocol) && mayPost(rules, url.origin);
  const wantsPage = (headers.get('accept') ?? '').includes('text/html');
  const texts = await formTexts(env, locale);
  return { rules, origin, page: isOwn ? url.href : null, wantsPage, texts };
}

let german: FormTexts | null = null;

/** English if they cannot be read: a form must be accepted all the same. The German ones are an asset, read once. */
export async function formTexts({ ASSETS }: Pick<Env, 'ASSETS'>, locale: string): Promise<FormTexts> {
  if (!isGerman(locale)) return ENGLISH;
  german ??= await assetText(ASSETS, 'forms/de.json').then(parseOwnJson<FormTexts>, () => null);
  return german ?? ENGLISH;
}

/** The answer to a form that was accepted, or is to look so. `next`: where the form wants to send its visitor. */
function answerTaken(visitor: Visitor, event: string, next: string | null): Response {
  const { rules, texts, page } = visitor;
  const link = page === null ? {} : { link: { url: page, text: texts.back } };
  const content = { title: texts.thanks, lines: [texts.arrived], ...link };
  const receipt = Response.json({ event }, { status: 202, headers: HEADERS });
  return answerVisitor(visitor, receipt, next ?? rules.redirect.ok, content);
}

const FIELD_CODES: Readonly<Record<FaultCode, FieldCode>> = {
  required: 'required',
  too_long: 'too-long',
  email: 'malformed',
  phone: 'number',
  text: 'malformed',
};

const FAULTS = { status: 422, type: 'form-faults' } as const;

function answerFaults(visitor: Visitor, faults: readonly FormFault[]): Response {
  const { rules, texts } = visitor;
  const errors = faults.map((fault) =>
    fieldError(fault.field.name, FIELD_CODES[fault.code], faultText(texts, fault)),
  );
  const { notSent: title, correct: detail, keep } = texts;
  const failed = URL.parse(rules.redirect.failed ?? '');
  failed?.searchParams.set('faults', faults.map(({ field }) => field.name).join());
  const page = { title, lines: [detail, keep], list: errors.map(({ message }) => message) };
  const problem = problemResponse({ ...FAULTS, title, detail, errors });
  return answerVisitor(visitor, problem, failed?.href ?? null, page);
}

/** The answer to a form that is refused as any other webhook would be: a browser gets the reason as a page. */
function answerRefused(visitor: Visitor, refusal: Response): Response {
  const { rules, texts } = visitor;
  const { status } = refusal;
  const isFinal = status === 403 || status === 405;
  const why = texts.whyNot[status] ?? texts.whyNotElse;
  const page = { title: texts.notSent, lines: isFinal ? [why] : [why, texts.keep] };
  return answerVisitor(visitor, refusal, isFinal ? null : rules.redirect.failed, page);
}

/** A script gets the response, a browser the page, or the address of the site's own. */
function answerVisitor(
  visitor: Visitor,
  response: Response,
  address: string | null,
  page: PageContent,
): Response {
  const { rules, texts, origin, wantsPage } = visitor;
  if (!wantsPage) return mayPost(rules, origin) ? forScript(visitor, response) : response;
  // 303: the browser gets the page with GET, so *Reload* does not send the form again.
  if (address !== null)
    return new Response(null, { status: 303, headers: { ...HEADERS, location: address } });
  const headers = new Headers(pageHeaders(Array.isArray(rules.origins) ? rules.origins : ['*']));
  for (const name of ['retry-after', 'allow'])
    if (response.headers.has(name)) headers.set(name, response.headers.get(name) ?? '');
  const status = response.ok ? 200 : response.status;
  return new Response(pageHtml(texts, page), { status, headers });
}

function forScript({ rules, origin }: Visitor, response: Response): Response {
  for (const [name, value] of Object.entries(corsHeaders(rules, origin))) response.headers.set(name, value);
  return response;
}

type Origins = Pick<FormRules, 'origins'>;

/** True if a page of this origin may post. `origin` is null if the request does not say where it comes from. */
export function mayPost({ origins }: Origins, origin: string | null): boolean {
  if (origins === 'any') return true;
  // A page from disk, or one that hides its address, sends `null`.
  if (origin === null || origin === 'null') return false;
  return origins === null || origins.includes(origin);
}

/** The headers that let a script of the page read the answer (the Fetch standard's CORS). */
export const corsHeaders = ({ origins }: Origins, origin: string | null) => ({
  vary: 'Origin',
  'access-control-allow-origin': Array.isArray(origins) && origin !== null ? origin : '*',
  'access-control-expose-headers': 'Retry-After',
});

export const preflight = (rules: Origins, origin: string | null): Response =>
  new Response(null, {
    status: 204,
    headers: {
      ...corsHeaders(rules, origin),
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'Content-Type, Accept',
      // A day: Chromium keeps it for two hours at most.
      'access-control-max-age': '86400',
    },
  });

/** The page to which a form sends its visitor, if that is of a declared origin. Paths are resolved against `origin`. */
export function nextPage({ origins }: Origins, next: unknown, origin: string | null): string | null {
  if (typeof next !== 'string' || next === '' || next.length > 2_048) return null;
  const url = URL.parse(next, origin ?? undefined);
  // An address with a login, or of a `blob:`, has the origin of its page, too.
  const isListed = Array.isArray(origins) && url !== null && origins.includes(url.origin);
  return isListed && url.href.startsWith(`${url.origin}/`) ? url.href : null;
}
