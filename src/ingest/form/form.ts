import type { LoadedConfig, Source } from '../../config/compiled/config.ts';
import type { FieldCode } from '../../lib/api-codes.ts';
import { assetText } from '../../lib/bindings.ts';
import type { FormRules } from '../../config/compiled/form-rules.ts';
import { secureRandomBytes } from '../../lib/id.ts';
import { parseOwnJson } from '../../lib/json.ts';
import { fieldError, problemResponse, type Problem } from '../../lib/problem.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { isGerman } from '../../lib/text.ts';
import { sourceSecret } from '../../config/secrets/named-secrets.ts';
import { bytesOf, fitsIntoRow } from '../../outbox/state/acceptance.ts';
import type { Spam } from '../../registry/rejections.ts';
import { refuseKnown, refuseLimited, NOT_ACCEPTED, tooLarge, takeEvent } from '../accept/accept.ts';
import { BodyMemory, BODY_TOO_LARGE } from '../request/body.ts';
import { type Arrival, type VerifiedRequest, identify } from '../request/event.ts';
import { receive, wrongMethod, type Address } from '../request/receive.ts';
import { recordRejection, rejectedBy, type Waiter } from '../request/reject.ts';
import { checkSender, verifiedRequest, withPayload, type Rejected } from '../request/verify.ts';
import { checkedForm, fieldsOf, identifyForm, ownFields, ownOf, faultsText } from './fields.ts';
import { addressCode, judge, MOMENT_PATH, newMoment, recordSpam, type OwnFields } from './spam.ts';
import { pageHeaders, pageHtml, type PageContent } from './page.ts';
import { ENGLISH, faultText, type FormTexts, type FaultCode, type FormFault } from './texts.ts';

interface FormContext {
  readonly source: Source;
  readonly form: FormRules;
  readonly config: LoadedConfig;
  readonly env: Env;
  readonly ctx: Waiter;
  readonly now: number;
}

/** Like `handleWebhook`, but the page's origin is checked in place of a secret, and the visitor reads the answer. */
export async function handleForm(
  request: Request,
  address: Address,
  context: FormContext,
): Promise<Response> {
  const { form, source } = context;
  const visitor = await visitorOf(request, form, context);
  const asksMoment = address.pathToken === MOMENT_PATH && form.spam.minMs !== null;
  const method = asksMoment ? 'GET' : 'POST';
  if (request.method !== method && request.method !== 'OPTIONS') {
    const problem = wrongMethod(request.method, [method]);
    return answerRefused(visitor, refuseUnread(request, context, rejectedBy(problem, source)));
  }
  if (!mayPost(form, visitor.origin))
    return answerRefused(visitor, await refusePage(request, context, visitor));
  if (request.method === 'OPTIONS') return preflight(form, visitor.origin);
  if (asksMoment) return answerMoment(visitor, newMoment(context.env, source.id, context.now));

  const memory = new BodyMemory(context.now);
  try {
    const read = await readForm(request, address, visitor, { ...context, memory });
    return read.ok ? await takeForm(read.value, context) : read.error;
  } finally {
    memory.release();
  }
}

/** A form without faults. Nothing else of its body is kept. */
interface ReadForm {
  readonly request: VerifiedRequest;
  readonly own: OwnFields;
  /** Whoever gets the answer, in the language that the form names. */
  readonly visitor: Visitor;
  readonly bytes: number;
}

/** The fields are copied, since a part of a text may keep all of it in memory while later steps wait for servers. */
async function readForm(
  request: Request,
  address: Address,
  visitor: Visitor,
  context: FormContext & { readonly memory: BodyMemory },
): Promise<Result<ReadForm, Response>> {
  const { source, form, env, ctx, now, memory } = context;
  const reject = (arrival: Arrival | null, rejected: Rejected): Result<never, Response> => {
    if (arrival !== null) recordRejection(env, ctx, arrival, rejected);
    return err(answerRefused(visitor, problemResponse(rejected.problem)));
  };
  const received = await receive(request, address, context);
  if (!received.ok) return reject(received.error.arrival, rejectedBy(received.error.problem, source));
  const raw = received.value;
  const bytes = raw.body.byteLength;
  const known = refuseKnown(source, bytes, { env, ctx }, now);
  if (known !== null) return err(answerRefused(visitor, known));
  const sender = await checkSender(raw, now);
  if (!sender.ok) return reject(raw, sender.error);
  const verified = await verifiedRequest(sender.value);
  if (!verified.ok) return reject(raw, verified.error);
  const sent = fieldsOf(verified.value.facts.payload);
  if (sent === null) return reject(raw, NO_FIELDS);
  const spoken = source.language === null ? visitor : await inLanguageOf(verified.value, visitor, env);
  const checked = checkedForm(verified.value);
  if (!checked.ok) {
    const names = Object.keys(sent).filter((name) => !ownFields(form).includes(name));
    const detail = faultsText(checked.error, form.fields, names);
    const field = checked.error[0]?.field.name;
    recordRejection(env, ctx, raw, { problem: FAULTS, code: 'form-faults', detail, field });
    return err(answerFaults(spoken, checked.error));
  }
  const kept = JSON.stringify([checked.value.facts.payload, ownOf(form, sent)]);
  const [payload, own] = parseOwnJson<[unknown, OwnFields]>(kept);
  memory.release();
  memory.reserve(bytesOf([kept]));
  return ok({ request: withPayload(checked.value, payload), own, visitor: spoken, bytes });
}

async function inLanguageOf(form: VerifiedRequest, visitor: Visitor, env: Env): Promise<Visitor> {
  const { event } = identify(form, secureRandomBytes);
  return { ...visitor, texts: await formTexts(env, event.source.locale.locale) };
}

async function takeForm({ request, own, visitor, bytes }: ReadForm, context: FormContext): Promise<Response> {
  const { source, form, config, env, ctx, now } = context;
  const { payload } = request.facts;
  const reject = (rejected: Rejected): Response => {
    recordRejection(env, ctx, request, rejected);
    return answerRefused(visitor, problemResponse(rejected.problem));
  };
  const judged = await judge(
    { source, rules: form, own, payload, receivedAt: now },
    { env, turnstileSecret: sourceSecret(env, form.spam.turnstile ?? ''), fetch },
  );
  if (!judged.ok) return reject({ problem: NOT_ACCEPTED, ...judged.error });

  const next = nextPage(form, own.next, visitor.origin);
  const identified = identifyForm(request, secureRandomBytes);
  const { event } = identified;
  const answerSpam = async (spam: Spam): Promise<Response> => {
    const parts = [payload, event.headers, event.query].map((part) => JSON.stringify(part));
    if (!fitsIntoRow(parts)) return reject(rejectedBy(tooLarge(bytesOf(parts)), source));
    const id = await recordSpam({ env, ctx }, event, spam, takenStatus(visitor, next));
    return id === null
      ? answerRefused(visitor, problemResponse(NOT_ACCEPTED))
      : answerTaken(visitor, id, next);
  };
  if (judged.value !== null) return answerSpam(judged.value);

  const { perHour } = form.spam;
  const from = perHour === null ? null : addressCode(env, source.id, request, request.receivedAt);
  // None if an address may send any number, or the platform does not give the address.
  const address = perHour === null || from === null ? undefined : { code: from, perHour };
  const taken = await takeEvent({ ...identified, bodyBytes: bytes, address }, env, config, now);
  if (taken.ok) return answerTaken(visitor, taken.value.event, next);
  const { problem, refusal } = taken.error;
  if (refusal?.by === 'address') {
    const detail = `its address has sent ${perHour} forms within an hour, as many as \`per_address\` allows`;
    return answerSpam({ kind: 'address', detail });
  }
  if (problem.status === 413) return reject(rejectedBy({ ...problem, ...BODY_TOO_LARGE }, source));
  return answerRefused(
    visitor,
    refusal === null || refusal.by === 'storage'
      ? problemResponse(problem)
      : refuseLimited(source, bytes, refusal, { env, ctx }, now),
  );
}

/** Reports it to the admin: most often it is the owner's own page under another name (`www.`). */
async function refusePage(request: Request, context: FormContext, { origin }: Visitor): Promise<Response> {
  // Programs without a page must not hide a page that has another name: rejections with one reason become one row.
  const isUnknown = origin === null || origin === 'null';
  const detail = isUnknown
    ? 'the browser does not say which page it is on, which only `origins: any` allows'
    : `the page is on ${shownOrigin(origin)}, which is not one of \`origins\``;
  const code = isUnknown ? 'no-origin' : 'origin';
  const response = refuseUnread(request, context, { problem: FORBIDDEN, code, detail });
  await request.body?.cancel();
  return response;
}

function refuseUnread(
  { method, headers, url }: Request,
  { source, env, ctx, now }: FormContext,
  rejected: Rejected,
): Response {
  const arrival = { source, method, headers, url: new URL(url), pathToken: undefined, registeredUrl: null };
  recordRejection(env, ctx, { ...arrival, secrets: [], receivedAt: now }, rejected);
  return problemResponse(rejected.problem);
}

/** Returns the origin if a browser sent it; anybody else may send anything. */
const shownOrigin = (origin: string): string => {
  const url = URL.parse(origin);
  return url !== null && url.origin === origin && origin.length <= 100 ? origin : 'an invalid address';
};

const FORBIDDEN: Problem = {
  status: 403,
  type: 'origin-refused',
  title: 'Page not allowed',
  detail: 'This form does not accept posts from that page.',
};

/** The visitor reads it in their language: see {@link answerFaults}. */
const FAULTS: Problem = { status: 422, type: 'form-faults', title: 'Form faults', detail: '' };

const NO_FIELDS: Rejected = {
  problem: {
    status: 400,
    type: 'malformed-body',
    title: 'Malformed body',
    detail: 'Send the form’s fields URL-encoded, as multipart, or as a JSON object.',
  },
  code: 'malformed-body',
  detail: 'the body is not an object of fields',
};

/** The recipient of the answer: a browser that shows pages, or a script. */
interface Visitor {
  readonly rules: FormRules;
  readonly origin: string | null;
  /** The page that contains the form, as far as the browser says. */
  readonly page: string | null;
  readonly wantsPage: boolean;
  readonly texts: FormTexts;
}

async function visitorOf(
  { headers }: Pick<Request, 'headers'>,
  rules: FormRules,
  { source: { locale }, env }: { readonly source: Source; readonly env: Pick<Env, 'ASSETS'> },
): Promise<Visitor> {
  const origin = headers.get('origin');
  const url = URL.parse(headers.get('referer') ?? origin ?? '');
  const isOwn = url !== null && /^https?:$/.test(url.protocol) && mayPost(rules, url.origin);
  const wantsPage = (headers.get('accept') ?? '').includes('text/html');
  const texts = await formTexts(env, locale.locale);
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
  const { rules, texts, page, wantsPage } = visitor;
  if (!wantsPage) return forScript(visitor, Response.json({ event }, { status: 202, headers: PRIVATE }));
  const to = next ?? rules.redirect.ok;
  if (to !== null) return redirect(to);
  const link = page === null ? {} : { link: { url: page, text: texts.back } };
  return showPage(visitor, 200, { title: texts.thanks, lines: [texts.arrived], ...link });
}

const takenStatus = ({ rules, wantsPage }: Visitor, next: string | null): number =>
  !wantsPage ? 202 : (next ?? rules.redirect.ok) === null ? 200 : 303;

const answerMoment = (visitor: Visitor, moment: string): Response =>
  forScript(visitor, new Response(moment, { headers: { ...PRIVATE, 'content-type': 'text/plain' } }));

const FIELD_CODES: Readonly<Record<FaultCode, FieldCode>> = {
  required: 'required',
  too_long: 'too-long',
  email: 'malformed',
  phone: 'number',
  text: 'malformed',
};

function answerFaults(visitor: Visitor, faults: readonly FormFault[]): Response {
  const { rules, texts, wantsPage } = visitor;
  const errors = faults.map((fault) =>
    fieldError(fault.field.name, FIELD_CODES[fault.code], faultText(texts, fault)),
  );
  const { notSent: title, correct: detail, keep } = texts;
  if (!wantsPage)
    return forScript(visitor, problemResponse({ status: 422, type: 'form-faults', title, detail, errors }));
  const { failed } = rules.redirect;
  const list = errors.map(({ message }) => message);
  if (failed === null) return showPage(visitor, 422, { title, lines: [detail, keep], list });
  const url = new URL(failed);
  url.searchParams.set('faults', faults.map(({ field }) => field.name).join());
  return redirect(url.href);
}

/** The answer to a form that is refused as any other webhook would be: a browser gets the reason as a page. */
function answerRefused(visitor: Visitor, refusal: Response): Response {
  const { rules, texts, wantsPage, origin } = visitor;
  if (!wantsPage) return mayPost(rules, origin) ? forScript(visitor, refusal) : refusal;
  const { status, headers } = refusal;
  const { failed } = rules.redirect;
  if (failed !== null && status !== 403 && status !== 405) return redirect(failed);
  const why = texts.whyNot[status] ?? texts.whyNotElse;
  const lines = status === 403 || status === 405 ? [why] : [why, texts.keep];
  return showPage(visitor, status, { title: texts.notSent, lines }, headers);
}

const PRIVATE = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

/** 303: the browser gets the page with GET, so *Reload* does not send the form again. */
const redirect = (to: string): Response =>
  new Response(null, { status: 303, headers: { ...PRIVATE, location: to } });

function forScript({ rules, origin }: Visitor, response: Response): Response {
  for (const [name, value] of Object.entries(corsHeaders(rules, origin))) response.headers.set(name, value);
  return response;
}

function showPage({ rules, texts }: Visitor, status: number, content: PageContent, more?: Headers): Response {
  const headers = new Headers(pageHeaders(Array.isArray(rules.origins) ? rules.origins : ['*']));
  for (const name of ['retry-after', 'allow'])
    if (more?.has(name) === true) headers.set(name, more.get(name) ?? '');
  return new Response(pageHtml(texts, content), { status, headers });
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

/** A day: Chromium keeps it for two hours at most. */
const PREFLIGHT_SECONDS = '86400';

export const preflight = (rules: Origins, origin: string | null): Response =>
  new Response(null, {
    status: 204,
    headers: {
      ...corsHeaders(rules, origin),
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'Content-Type, Accept',
      'access-control-max-age': PREFLIGHT_SECONDS,
    },
  });

const MAX_PAGE = 2_048;

/** The page to which a form sends its visitor, if that is of a declared origin. Paths are resolved against `origin`. */
export function nextPage({ origins }: Origins, next: unknown, origin: string | null): string | null {
  if (typeof next !== 'string' || next === '' || next.length > MAX_PAGE || !Array.isArray(origins))
    return null;
  const url = URL.parse(next, origin ?? undefined);
  // An address with a login, or of a `blob:`, has the origin of its page, too.
  return url !== null && origins.includes(url.origin) && url.href.startsWith(`${url.origin}/`)
    ? url.href
    : null;
}
