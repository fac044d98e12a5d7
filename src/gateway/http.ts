import { createCache } from '../lib/cache.ts';
import { err, ok, type Result } from '../lib/result.ts';
import { formatted } from './chat-format.ts';
import { listIn, paramsOf, type SendCall } from './kinds.ts';
import {
  NO_ADDRESS,
  type Failure,
  type Verdict,
  classifyAnswer,
  failed,
  refused,
  unclear,
  type GatewayAnswer,
  parseRetryAfter,
} from './outcome.ts';
import type { CallShape, HttpShape, JsonTemplate, AnswerRule, AnswerShape, FieldTest } from './shape.ts';
import { MAX_MATCHED } from '../lib/fast-pattern.ts';
import { truncateTo } from '../lib/text.ts';
import { ownValue, parseObject, scalarText } from '../lib/json.ts';

export interface GatewayRequest {
  readonly url: URL;
  readonly init: {
    readonly method: string;
    readonly headers: Headers;
    readonly body: string;
    // Following a redirect would send the credentials to another server.
    readonly redirect: 'manual';
  };
}

interface HttpAccount {
  readonly shape: HttpShape;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly options: Readonly<Record<string, string>>;
  /** The values of its secrets, by the ends of their names. */
  readonly secrets: Readonly<Record<string, string>>;
}

/** Returns the value of a field; undefined if it is missing or empty. */
type FieldReader = (name: string) => string | undefined;

/** The request for a call, or why there is none. `id`: the message's, the same in each attempt. */
export function httpRequest(
  call: SendCall,
  account: HttpAccount,
  id: string,
): Result<GatewayRequest, Failure> {
  const { shape, baseUrl } = account;
  const sent = outgoing(call, shape, account.options);
  if (sent === null) return err(notSendable(`this gateway has no \`${call.kind}\` messages`));
  const fields = fieldsOf(sent.call, account, id);
  const path = fill(sent.shape.path, fields, inPath);
  // A path segment of dots would lead to another place.
  if (/\/\.{1,2}(?:[/?]|$)/.test(path)) return err(notSendable('the receiver cannot be part of a URL'));
  const url = URL.parse(baseUrl + path);
  if (url === null) return err(NO_ADDRESS);
  const { json, form = {} } = sent.shape;
  const list = listIn(sent.call.kind);
  const options = list === undefined ? [] : optionsOf(fields(list) ?? '');
  const body = json === undefined ? formOf(form, fields) : JSON.stringify(treeOf(json, fields, options));
  const headers = headersOf(shape, fields, json !== undefined);
  return ok({ url, init: { method: sent.shape.method ?? 'POST', headers, body, redirect: 'manual' } });
}

/**
 * The call for a gateway of this shape; null if there is none: a status has no receiver, so it has no stand-in. `reason`:
 * why it is a text in place of the kind, which the gateway does not have, or has lower limits for; null if it is not.
 */
export function outgoing(call: SendCall, shape: HttpShape, options: Readonly<Record<string, string>>) {
  const own = shape.kinds[call.kind];
  const reason = own === undefined || !isOffered(own, options) ? 'kind' : isOver(call, own) ? 'limits' : null;
  if (own !== undefined && (reason === null || call.kind === 'text' || call.kind === 'status'))
    return { call: shortened(call, shape), shape: own, reason: null };
  if (call.phone === null) return null;
  const { head, tail } = parts(call);
  const end = head === '' || tail === '' ? tail : `\n${tail}`;
  const params = { message: fitted(head, shape, end) + end };
  return { call: { kind: 'text' as const, phone: call.phone, params }, shape: shape.kinds.text, reason };
}

const isOffered = ({ only = {} }: CallShape, options: Readonly<Record<string, string>>): boolean =>
  Object.entries(only).every(([name, value]) => options[name] === value);

const optionsOf = (joined: string): readonly string[] => joined.split(',');

function isOver({ params }: SendCall, { limits = {} }: CallShape): boolean {
  const given: Readonly<Record<string, string | undefined>> = params;
  return Object.entries(limits).some(([name, most]) => {
    if (name === 'options') return optionsOf(given['options'] ?? '').length > most;
    if (name === 'option') return optionsOf(given['options'] ?? '').some(({ length }) => length > most);
    return (given[name] ?? '').length > most;
  });
}

/** The two parts of a message that is sent as a text: `head` may be cut, and `tail`, the link, may not. */
function parts({ kind, params }: SendCall): { head: string; tail: string } {
  const given: Readonly<Record<string, string | undefined>> = params;
  const head: string[] = [];
  const tail: string[] = [];
  for (const [name, { holds }] of paramsOf(kind)) {
    const value = given[name] ?? '';
    if (value === '') continue;
    if (holds === 'list') head.push(...optionsOf(value).map((option, at) => `${at + 1}. ${option}`));
    else (holds === 'url' ? tail : head).push(value);
  }
  return { head: head.join('\n'), tail: tail.join('\n') };
}

/** Cuts a text to the gateway's limits. `rest`: other text in the same message. */
function fitted(text: string, { max_length, max_bytes }: HttpShape, rest = ''): string {
  const short = max_length === undefined ? text : truncateTo(text, Math.max(1, max_length - rest.length));
  if (max_bytes === undefined) return short;
  const most = Math.max(3, max_bytes - bytesOf(rest));
  let cut = short;
  // Each round cuts in proportion to the excess, by at least one unit.
  while (bytesOf(cut) > most)
    cut = truncateTo(cut, Math.min(cut.length - 1, Math.floor((cut.length * most) / bytesOf(cut))));
  return cut;
}

const bytesOf = (text: string): number => new TextEncoder().encode(text).byteLength;

function shortened(call: SendCall, shape: HttpShape): SendCall {
  if (call.kind === 'text') return { ...call, params: { message: fitted(call.params.message, shape) } };
  return call.kind === 'status' ? { ...call, params: { text: fitted(call.params.text, shape) } } : call;
}

/** A failure without a call, which no further attempt can mend. */
export const notSendable = (error: string): Failure => ({
  outcome: 'rejected',
  code: 'not-sendable',
  params: { error },
});

/** Parameters with chat formatting, which some gateways need in another form. */
const FORMATTED: ReadonlySet<string> = new Set(['message', 'caption', 'text']);

function fieldsOf({ phone, params }: SendCall, account: HttpAccount, id: string): FieldReader {
  const { shape, options, secrets } = account;
  const fields = { ...params, to: phone, id, secret: secrets, option: options };
  return function read(name) {
    const value = ownValue(fields, name);
    if (typeof value !== 'string') return undefined;
    return (FORMATTED.has(name) ? formatted(value, shape.format ?? 'chat') : value) || undefined;
  };
}

/** Matches the fields of a shape's text. Splitting by it gives literal, name, literal, name … */
const FIELD = /\{([a-z_]+(?:\.[A-Za-z0-9_]+)?)\}/;
const texts = createCache<readonly string[]>(256);
const split = (text: string): readonly string[] => texts(text, () => text.split(FIELD));

export const fieldNames = (text: string): readonly string[] => split(text).filter((_, at) => at % 2 === 1);

const fill = (text: string, fields: FieldReader, encode = (value: string): string => value): string =>
  split(text)
    .map((part, at) => (at % 2 === 0 ? part : encode(fields(part) ?? '')))
    .join('');

/** Encodes a value for a path. A colon is allowed there, and a Telegram token contains one. */
const inPath = (value: string): string => encodeURIComponent(value.toWellFormed()).replaceAll('%3A', ':');

export const FORM_HEADERS = new Headers({
  'content-type': 'application/x-www-form-urlencoded',
  accept: 'application/json',
  'user-agent': 'hookbell',
});

function headersOf({ headers = {}, basic }: HttpShape, fields: FieldReader, isJson: boolean): Headers {
  const made = new Headers(FORM_HEADERS);
  if (isJson) made.set('content-type', 'application/json');
  for (const [name, text] of Object.entries(headers))
    if (fieldNames(text).every((field) => fields(field) !== undefined)) made.set(name, fill(text, fields));
  if (basic !== undefined)
    made.set('authorization', `Basic ${btoa(basic.map((text) => fill(text, fields)).join(':'))}`);
  return made;
}

function formOf(form: Readonly<Record<string, string>>, fields: FieldReader): string {
  const filled = Object.entries(form).map(([name, text]) => [name, fill(text, fields)]);
  return new URLSearchParams(filled.filter(([, value]) => value !== '')).toString();
}

/** Fills in the fields of a tree. Undefined for a text that is only a missing field. */
function treeOf(tree: JsonTemplate, fields: FieldReader, options: readonly string[]): unknown {
  if (typeof tree === 'string') {
    const [only] = fieldNames(tree);
    if (only === undefined || tree !== `{${only}}`) return fill(tree, fields);
    return only === 'options' ? options : fields(only);
  }
  if (typeof tree !== 'object') return tree;
  if (Array.isArray(tree)) return tree.map((one: JsonTemplate) => treeOf(one, fields, options));
  const keys = Object.entries(tree);
  const { each, as, lines } = Object.fromEntries(keys);
  if (each === 'options' && as !== undefined)
    return options.map((option) =>
      treeOf(as, (name) => (name === 'option' ? option : fields(name)), options),
    );
  if (Array.isArray(lines))
    return lines
      .map((line: JsonTemplate) => treeOf(line, fields, options))
      .filter((line) => typeof line === 'string' && line !== '')
      .join('\n');
  return Object.fromEntries(keys.map(([key, value]) => [key, treeOf(value, fields, options)]));
}

type Body = Readonly<Record<string, unknown>>;

export function classifyHttp(answer: GatewayAnswer, shape: AnswerShape, now: number): Verdict {
  const body = answer.complete ? parseObject(answer.text) : null;
  const textAt = (field: string): string => scalarText(ownValue(body, field)) ?? '';
  const reason = shape.reason?.map(textAt).find((text) => text !== '') ?? '';
  const seen = { ...answer, body, reason };
  const rule = shape.rules?.find((one) => applies(one, seen));
  const verdict =
    rule === undefined
      ? classifyAnswer(answer, now, () => classifySuccess(seen, shape))
      : byRule(rule, answer.status, reason);
  if (verdict.outcome === 'sent') return verdict;
  const field = shape.retry_after === undefined ? null : textAt(shape.retry_after);
  const wait = parseRetryAfter(answer.headers.get('retry-after') ?? field, now);
  return {
    ...verdict,
    params: { ...verdict.params, ...(reason !== '' && { words: reason }) },
    ...(verdict.outcome === 'busy' && wait !== null && { retry_after_ms: wait }),
  };
}

function byRule({ means, cause, say }: AnswerRule, status: number, reason: string): Failure {
  const params = {
    status: String(status),
    ...(say !== undefined && { says: say, cause: 'as-declared' }),
    ...(cause && { cause }),
  };
  return means === 'refused'
    ? refused({ ...params, field: 'status', value: String(status) }, reason)
    : failed(means, params);
}

/** What is seen of an answer. */
type Seen = GatewayAnswer & Readonly<{ body: Body | null; reason: string }>;

function classifySuccess(seen: Seen, { sent, refused: sign }: AnswerShape): Verdict {
  const { status, text, complete, body, reason } = seen;
  if (!complete) return unclear(status, 'cut-off');
  if ('matches' in sent)
    return new RegExp(sent.matches, 'u').test(text.slice(0, MAX_MATCHED))
      ? { outcome: 'sent' }
      : unclear(status, 'undecided', 'sent.matches');
  if (text.trim() === '') return unclear(status, 'empty');
  if (body === null) return unclear(status, 'not-json');
  if (sign !== undefined && holds(sign, body)) {
    const value = scalarText(ownValue(body, sign.field)) ?? reason;
    return refused({ field: sign.field, value: value === reason ? 'set' : value }, reason);
  }
  return holds(sent, body) ? { outcome: 'sent' } : unclear(status, 'undecided', sent.field);
}

const applies = ({ status, field, is, matches }: AnswerRule, seen: Seen): boolean =>
  (status === undefined || status.includes(seen.status)) &&
  (field === undefined || (seen.body !== null && holds({ field, is }, seen.body))) &&
  (matches === undefined || new RegExp(matches, 'u').test(seen.reason.slice(0, MAX_MATCHED)));

function holds({ field, is }: FieldTest, body: Body): boolean {
  const value = ownValue(body, field);
  if (is === undefined) return value !== undefined && value !== null && value !== '' && value !== false;
  return is.some((one) => one === value);
}
