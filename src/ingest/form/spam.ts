import type { Source } from '../../config/compiled/config.ts';
import type { FormRules } from '../../config/compiled/form-rules.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { type Spam, SPAM_OF_SOURCE, type KeptForm, type SpamEntry } from '../../registry/rejections.ts';
import { DAY, MINUTE, iso } from '../../lib/time.ts';
import { network } from '../../lib/url.ts';
import { relayMac, equalsInConstantTime } from '../../lib/constant-time.ts';
import { registry } from '../../config/load.ts';
import { describeError, log } from '../../lib/log.ts';
import { digestOf } from '../../signature/basics/request.ts';
import { atMost, countFlood, type Waiter } from '../request/reject.ts';
import type { WebhookEvent } from '../request/event.ts';
import type { OwnFields } from './fields.ts';
import { readAnswer } from '../../lib/body.ts';
import { asObject, maybeJson } from '../../lib/json.ts';
import { withTimeout } from '../../lib/wait.ts';
import * as z from 'zod/mini';

interface Judged {
  readonly source: Pick<Source, 'id' | 'dedupe'>;
  readonly rules: FormRules;
  readonly own: OwnFields;
  readonly payload: unknown;
  readonly receivedAt: number;
}

type Court = Readonly<{ env: object; turnstileSecret: string | undefined; fetch: typeof globalThis.fetch }>;

/** The form cannot be judged now, and this is not the visitor's fault. */
type NotJudged = Readonly<{ code: 'secret_missing' | 'unavailable'; detail: string }>;

/** Why a form is spam; null: it looks like a person's. Turnstile comes last, since it needs a call. */
export async function judge(
  form: Judged,
  { env, turnstileSecret: secret, fetch }: Court,
): Promise<Result<Spam | null, NotJudged>> {
  const { source, rules, own, payload, receivedAt } = form;
  const { honeypot, links, minMs, turnstile } = rules.spam;
  if (own.isTrapped)
    return spam('honeypot', `the field \`${honeypot}\`, which people do not see, was filled in`);
  const found = links === null ? 0 : countLinks(textsIn(payload));
  if (links !== null && found > links) return spam('links', `${found} links, but \`links\` allows ${links}`);
  const hurry = minMs === null ? null : await tooFast(form, minMs, env);
  if (hurry !== null) return spam('time', hurry);
  if (turnstile === null) return ok(null);
  if (secret === undefined) return err({ code: 'secret_missing', detail: `not set: ${turnstile}` });
  // The API takes each token once, or again with the same key: for as long as the same form is one event.
  const period = Math.floor(receivedAt / Math.max(1, source.dedupe.bodyMs));
  const asked = { secret, token: own.token, form: `${period}\n${JSON.stringify(payload)}` };
  return askTurnstile({ ...asked, origins: rules.origins }, { fetch });
}

const spam = (kind: Spam['kind'], detail: string): Result<Spam, never> => ok({ kind, detail });

async function tooFast({ source, own, receivedAt }: Judged, minMs: number, env: object) {
  const { moment } = own;
  if (moment === '') return 'it does not say when its page was opened';
  const at = await readMoment(env, source.id, moment);
  if (at === null) return 'the time when its page was opened is not from this source';
  const age = receivedAt - at;
  if (age > MOMENT_LASTS_MS) return 'its page was opened more than a day earlier';
  return age < minMs
    ? `it was sent ${Math.max(0, age) / 1_000} s after its page was opened, but \`min_seconds\` is ${minMs / 1_000}`
    : null;
}

/** The texts of a form that was checked. Names of files are left out, because they look like hosts. */
const textsIn = (payload: unknown): string =>
  Object.values(asObject(payload))
    .filter((value) => typeof value === 'string')
    .join('\n');

/** The beginning of a web address, wherever it is. */
const ADDRESS = /https?:\/\/(?:www\.)?|www\./gi;

/** A host by itself, which chats turn into a link. In small letters: `ok.Thanks` is the end of a sentence. */
const HOST = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}(?:[/?#:].*)?$/;

const BETWEEN_WORDS = /[\s<>"'()[\],;!|]+/;

/** Counts the links in a text: addresses, and hosts by themselves. E-mail addresses do not count. */
export function countLinks(text: string): number {
  const words = text.split(BETWEEN_WORDS).map((word) => word.replace(/[.:?]$/, ''));
  const hosts = words.filter((host) => host.search(ADDRESS) < 0 && HOST.test(host));
  return (text.match(ADDRESS)?.length ?? 0) + hosts.length;
}

const CODE_DIGITS = 32;

/** A code for a form's address: of one source and day, and only of this deployment; null if there is no address. */
export function addressCode(env: object, source: string, { headers }: Pick<Request, 'headers'>, now: number) {
  const address = headers.get('cf-connecting-ip');
  if (address === null || address === '') return null;
  const day = Math.floor(now / DAY);
  return relayMac(env, `form address ${day}`, `${source}\n${network(address)}`).slice(0, CODE_DIGITS);
}

/** The last part of the address at which a page asks for its moment: `/hooks/contact/moment`. */
export const MOMENT_PATH = 'moment';

/** A page may stay open overnight. */
const MOMENT_LASTS_MS = DAY;

const MOMENT = /^(\d{1,15})\.[0-9a-f]{32}$/;

/** The moment when a page was opened, which it sends back and cannot invent. Of one source only. */
export const newMoment = (env: object, source: string, now: number): string =>
  `${now}.${relayMac(env, 'form moment', `${source}\n${now}`).slice(0, CODE_DIGITS)}`;

/** Returns the time when a moment was issued (ms); null if it was not issued, or not for this source. */
export async function readMoment(env: object, source: string, moment: string): Promise<number | null> {
  const at = Number(MOMENT.exec(moment)?.[1]);
  return !Number.isNaN(at) && (await equalsInConstantTime(moment, newMoment(env, source, at))) ? at : null;
}

/** Of each source, in this isolate. */
const mayRecord = atMost(SPAM_OF_SOURCE.rows, MINUTE);

/** Keeps a form taken for spam: on disk when this resolves. Returns the visitor's id; null if it was not stored. */
export async function recordSpam(
  { env, ctx }: { readonly env: Env; readonly ctx: Waiter },
  event: WebhookEvent,
  { kind, detail }: Spam,
  status: number,
): Promise<string | null> {
  const { source, receivedAt } = event;
  const entry: SpamEntry = {
    at: iso(receivedAt),
    source: source.id,
    status,
    code: 'spam',
    spam: kind,
    detail: `${kind}: ${detail}`,
  };
  if (!mayRecord(receivedAt, source.id)) {
    countFlood(entry, { env, ctx }, receivedAt);
    return event.id;
  }
  log('warn', 'event.spam', { source: source.id, spam: kind });
  const { type, dedupeKey, payload, headers, query } = event;
  const form: KeptForm = { type, receivedAt, dedupeKey, payload, headers, query };
  try {
    return await registry(env).recordSpam({
      entry,
      event: event.id,
      digest: digestOf(JSON.stringify([source.id, payload])),
      sameMs: source.dedupe.bodyMs,
      form: source.store === 'full' ? JSON.stringify(form) : null,
    });
  } catch (thrown) {
    log('error', 'rejection.record.failed', { error: describeError(thrown) });
    return null;
  }
}

const SITEVERIFY = 'https://challenges.cloudflare.com/turnstile/v0/siteverify';

/** The longest token, according to Cloudflare's documentation. */
const MAX_TOKEN = 2_048;

const TIMEOUT_MS = 8_000;
const MAX_ANSWER_BYTES = 8_192;

interface TurnstileRequest {
  readonly secret: string;
  readonly token: string;
  /** The form and its time: the same form twice makes one request, since the API takes each token once. */
  readonly form: string;
  /** The pages that may post: a token of another page is none of this form. */
  readonly origins: FormRules['origins'];
}

const answerSchema = z.object({
  success: z.boolean(),
  hostname: z.optional(z.string()),
  'error-codes': z.optional(z.array(z.string())),
});

/** The codes that are about the visitor; any other code is a fault of the request or of the API. */
const OF_THE_VISITOR: ReadonlySet<string> = new Set([
  'missing-input-response',
  'invalid-input-response',
  'timeout-or-duplicate',
]);

/** Null if Turnstile vouches for a visitor. Fails closed: anything but a clear yes counts as a no. */
export async function askTurnstile(
  { secret, token, form, origins }: TurnstileRequest,
  { fetch, timeout = TIMEOUT_MS }: { readonly fetch: typeof globalThis.fetch; readonly timeout?: number },
): Promise<Result<Spam | null, NotJudged>> {
  if (token === '') return notVouched('the form has no answer from its widget');
  if (token.length > MAX_TOKEN) return notVouched('its widget’s answer is too long');
  const idempotency_key = uuidOf(`${token}\n${form}`);
  const body = new URLSearchParams({ secret, response: token, idempotency_key });
  try {
    const { text, complete } = await withTimeout(timeout, async (signal) => {
      const init = { method: 'POST', body, redirect: 'manual', signal } as const;
      return readAnswer(await fetch(SITEVERIFY, init), MAX_ANSWER_BYTES);
    });
    const answer = complete ? answerSchema.safeParse(maybeJson(text)) : null;
    if (answer === null || !answer.success) return unavailable('its API gave an unexpected answer');
    const { success, hostname = '', 'error-codes': codes = [] } = answer.data;
    const hosts = typeof origins === 'object' ? origins?.map((one) => URL.parse(one)?.hostname) : null;
    if (success && hosts?.includes(hostname) === false)
      return notVouched(`its widget was on ${hostname.slice(0, 100)}, not on a page of \`origins\``);
    if (success) return ok(null);
    const named = codes.filter((code) => /^[a-z-]{1,40}$/.test(code)).slice(0, 3);
    const why = `its API says ${named.length === 0 ? 'no' : named.join(', ')}`;
    const isVisitors = codes.every((code) => OF_THE_VISITOR.has(code)) && codes.length > 0;
    return isVisitors ? notVouched(why) : unavailable(why);
  } catch {
    return unavailable('its API could not be reached in time');
  }
}

const notVouched = (why: string) => spam('turnstile', why);

const unavailable = (why: string) => err<NotJudged>({ code: 'unavailable', detail: `Turnstile: ${why}` });

/** A digest of a text as the UUID that the API expects. */
function uuidOf(text: string): string {
  const hex = digestOf(text);
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`];
  return [...parts, hex.slice(20, 32)].join('-');
}
