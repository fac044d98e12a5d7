import { parseBody, holdsJson } from '../../src/ingest/parse/parse.ts';
import { err, ok, type Result } from '../../src/lib/result.ts';
import type { BodyQuirks } from '../../src/provider/provider.ts';
import { isObject, maybeJson, ownValue } from '../../src/lib/json.ts';
import { textFrom } from '../fixtures/http-file.ts';

/** A request that somebody has captured, as its sender made it. */
export interface Captured {
  readonly method: string;
  /** With the host, if the request has one; otherwise only its path and query are known. */
  readonly url: URL;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
  /** What was changed on the way here, which a signature may not survive. */
  readonly changed: string | null;
  /** Where its body differs from its Content-Type. */
  readonly quirks?: BodyQuirks;
}

export const headerOf = (headers: Captured['headers'], wanted: string): string | undefined =>
  headers.find(([name]) => name.toLowerCase() === wanted)?.[1];

/** The request with the name of the form's only field, if that holds JSON. */
export async function withJsonField(request: Captured): Promise<Captured> {
  const type = headerOf(request.headers, 'content-type') ?? null;
  const parsed = await parseBody(type, new TextEncoder().encode(request.body));
  if (!parsed.ok || !['form', 'multipart'].includes(parsed.value.format)) return request;
  const [[field, text] = ['', null], ...others] = Object.entries(parsed.value.payload ?? {});
  const isAlone = others.length === 0 && /^[\w-]+$/.test(field);
  return isAlone && typeof text === 'string' && holdsJson(text)
    ? { ...request, quirks: { json_field: field } }
    : request;
}

export const NO_HOST = 'captured.invalid';

const REQUEST_LINE = /^([A-Z]+) +(\S+)(?: +HTTP\/\d(?:\.\d)?)?$/;
/** `:` or a tab between them, as inspectors copy tables. */
const HEADER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]{1,128})(?::[ \t]*|\t)(.*)$/;
/** HTTP/2 begins with these, and they are no headers. */
const PSEUDO = /^:[a-z]+:/;
const FORM = 'a request as text: `POST /hooks/shop HTTP/1.1`, its headers, an empty line, and its body';

/** Reads raw HTTP, what `curl -v` prints, a HAR of one request, or JSON with `headers` and `body`. The error follows a file's name. */
export function readCaptured(given: string): Result<Captured, string> {
  const text = given.replace(/^\uFEFF/, '');
  if (text.trim() === '') return err(`is empty: it must have ${FORM}`);
  const read = /^\s*[{[]/.test(text) ? readJson(text) : readRaw(text);
  if (!read.ok) return read;
  if (read.value.headers.length === 0)
    return err('has no headers, which have the signature: capture the request with them');
  const { body, method } = read.value;
  if (body.trim() !== '') return read;
  return method === 'POST'
    ? err('has no body: below the headers must be an empty line, and then the body as it came')
    : err(
        `is a ${method} without a body, by which a sender checks an address: capture what it posts after that`,
      );
}

function readRaw(text: string): Result<Captured, string> {
  const lines = text.split('\n').map((line) => line.replace(/\r$/, ''));
  // `curl -v` marks what it sends, and what it says besides.
  const isCurl = lines.some((line) => /^> \S/.test(line));
  const sent = isCurl
    ? lines.flatMap((line) => (/^[*<{}]/.test(line) ? [] : [line.replace(/^> ?/, '')]))
    : lines;
  let at = sent.findIndex((line) => line.trim() !== '' && !line.startsWith('#'));
  const first = sent[at] ?? '';
  const [, method = 'POST', address = '/'] = REQUEST_LINE.exec(first.trim()) ?? [];
  if (REQUEST_LINE.test(first.trim())) at += 1;
  else if (!HEADER.test(first) && !PSEUDO.test(first))
    return err(`is not an HTTP request in line ${at + 1}: it must have ${FORM}`);
  const headers: [string, string][] = [];
  for (; at < sent.length && sent[at] !== ''; at += 1) {
    if (PSEUDO.test(sent[at] ?? '')) continue;
    const [, name, value] = HEADER.exec(sent[at] ?? '') ?? [];
    if (name === undefined || value === undefined)
      return err(`has no header in line ${at + 1}: write \`Name: value\`, and an empty line before the body`);
    headers.push([name, value.trim()]);
  }
  const body = isCurl ? sent.slice(at + 1).join('\n') : textFrom(text, at + 1);
  // Editors end a file with a line break. The request says how long its body is, or has none at its end.
  const isWhole = new TextEncoder().encode(body).length === Number(headerOf(headers, 'content-length'));
  return request(method, address, headers, isWhole ? body : body.replace(/\r?\n$/, ''));
}

function readJson(text: string): Result<Captured, string> {
  const root = maybeJson(text);
  if (root === undefined) return err(`is not JSON, and no HTTP request: it must have ${FORM}`);
  const log = isObject(root) ? root['log'] : undefined;
  if (isObject(log)) return readHar(log['entries']);
  if (!isObject(root) || root['headers'] === undefined)
    return err('is JSON without `headers`: it must have `{ "headers": { … }, "body": "…" }`, or be raw HTTP');
  const key = ['body', 'rawBody', 'raw_body', 'content'].find((name) => root[name] !== undefined);
  const body = key === undefined ? '' : root[key];
  return typeof body === 'string'
    ? requestIn(root, body)
    : requestIn(root, JSON.stringify(body), `\`${key}\` is JSON and not the text that was sent`);
}

function readHar(entries: unknown): Result<Captured, string> {
  const all: readonly unknown[] = Array.isArray(entries) ? entries : [];
  if (all.length !== 1) return err(`is a HAR of ${all.length} requests: keep the one of the webhook in it`);
  const [entry] = all;
  const one = isObject(entry) ? entry['request'] : undefined;
  if (!isObject(one)) return err('is a HAR whose entry has no `request`');
  return requestIn(one, textOf(ownValue(one['postData'], 'text')) ?? '');
}

const requestIn = (
  { method, url, headers }: Readonly<Record<string, unknown>>,
  body: string,
  changed: string | null = null,
): Result<Captured, string> =>
  request(textOf(method) ?? 'POST', textOf(url) ?? '/', headersOf(headers), body, changed);

/** `{ name: value }`, `{ name: [value] }`, or a list of `{ name, value }`. */
function headersOf(given: unknown): Captured['headers'] {
  const entries = Array.isArray(given)
    ? given.flatMap((one: unknown) => (isObject(one) ? [[textOf(one['name']), one['value']] as const] : []))
    : Object.entries(isObject(given) ? given : {});
  return entries.flatMap(([name, value]) => {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    const text = values.map((one) => textOf(one) ?? '').join(', ');
    return name === undefined || !HEADER.test(`${name}: ${text}`) ? [] : [[name, text] as const];
  });
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;

function request(
  method: string,
  address: string,
  headers: Captured['headers'],
  body: string,
  changed: string | null = null,
): Result<Captured, string> {
  const url = URL.parse(address, `https://${headerOf(headers, 'host') ?? NO_HOST}`);
  if (url === null) return err('has no address in its request line, such as `/hooks/shop`');
  // A header that cannot be sent, such as one with a picture in its text, signs nothing.
  const sendable = headers.filter(([, value]) => /^[\t\x20-\xff]*$/.test(value));
  return ok({ method, url, headers: sendable, body, changed });
}
