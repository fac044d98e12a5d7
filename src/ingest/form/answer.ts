import type { Source } from '../../config/compiled/config.ts';
import { assetText } from '../../lib/bindings.ts';
import type { FormRules } from '../../config/compiled/form-rules.ts';
import { isGerman } from '../../lib/text.ts';
import { parseOwnJson } from '../../lib/json.ts';
import type { FieldCode } from '../../lib/api-codes.ts';
import { fieldError, problemResponse } from '../../lib/problem.ts';
import { pageHeaders, pageHtml, type PageContent } from './page.ts';
import { ENGLISH, faultText, type FormTexts, type FaultCode, type FormFault } from './texts.ts';

/** The recipient of the answer: a browser that shows pages, or a script. */
export interface Visitor {
  readonly rules: FormRules;
  readonly origin: string | null;
  /** The page that contains the form, as far as the browser says. */
  readonly page: string | null;
  readonly wantsPage: boolean;
  readonly texts: FormTexts;
}

export async function visitorOf(
  { headers }: Pick<Request, 'headers'>,
  rules: FormRules,
  { source: { locale }, env }: { readonly source: Source; readonly env: Pick<Env, 'ASSETS'> },
): Promise<Visitor> {
  const origin = headers.get('origin');
  const page = headers.get('referer') ?? origin;
  const url = page === null ? null : URL.parse(page);
  return {
    rules,
    origin,
    page: url !== null && /^https?:$/.test(url.protocol) && mayPost(rules, url.origin) ? url.href : null,
    wantsPage: (headers.get('accept') ?? '').includes('text/html'),
    texts: await formTexts(env, locale.locale),
  };
}

let german: FormTexts | null = null;

/** English if they cannot be read: a form must be accepted all the same. The German ones are an asset, read once. */
export async function formTexts({ ASSETS }: Pick<Env, 'ASSETS'>, locale: string): Promise<FormTexts> {
  if (!isGerman(locale)) return ENGLISH;
  german ??= await assetText(ASSETS, 'forms/de.json').then(parseOwnJson<FormTexts>, () => null);
  return german ?? ENGLISH;
}

/** The answer to a form that was accepted, or is to look so. `next`: where the form wants to send its visitor. */
export function answerTaken(visitor: Visitor, event: string, next: string | null): Response {
  const { rules, texts, page, wantsPage } = visitor;
  if (!wantsPage) return forScript(visitor, Response.json({ event }, { status: 202, headers: PRIVATE }));
  const to = next ?? rules.redirect.ok;
  if (to !== null) return redirect(to);
  const link = page === null ? {} : { link: { url: page, text: texts.back } };
  return showPage(visitor, 200, { title: texts.thanks, lines: [texts.arrived], ...link });
}

export const takenStatus = ({ rules, wantsPage }: Visitor, next: string | null): number =>
  !wantsPage ? 202 : (next ?? rules.redirect.ok) === null ? 200 : 303;

export const answerMoment = (visitor: Visitor, moment: string): Response =>
  forScript(visitor, new Response(moment, { headers: { ...PRIVATE, 'content-type': 'text/plain' } }));

const FIELD_CODES: Readonly<Record<FaultCode, FieldCode>> = {
  required: 'required',
  too_long: 'too-long',
  email: 'malformed',
  phone: 'number',
  text: 'malformed',
};

export function answerFaults(visitor: Visitor, faults: readonly FormFault[]): Response {
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
export function answerRefused(visitor: Visitor, refusal: Response): Response {
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
  const frames = Array.isArray(rules.origins) ? rules.origins : ['*'];
  const headers = new Headers(pageHeaders(frames));
  for (const name of ['retry-after', 'allow']) {
    const value = more?.get(name) ?? null;
    if (value !== null) headers.set(name, value);
  }
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
