import { ok } from '../../lib/result.ts';
import type { BodyQuirks } from '../../provider/provider.ts';
import type { BodyFormat, ParsedBody } from '../../signature/basics/request.ts';
import { decodeText as decodeBytes, decodeUtf8 } from '../../lib/encoding.ts';
import { isCompact } from '../../signature/schemes/jwt.ts';
import { parseForm, parseMultipart } from './form.ts';
import { parseJson } from './json.ts';
import { isJsonType, parseMediaType, unsupported, decodeText, type Parsed } from './text.ts';
import { parseXml } from './xml.ts';
import { changedAt, isObject, maybeJson, ownValue } from '../../lib/json.ts';

const XML_TYPE = /^(?:(?:application|text)\/xml|[^/]+\/[^/]+\+xml)$/;

const TAKEN =
  'Send application/json, application/x-www-form-urlencoded, multipart/form-data, application/xml or text/plain.';
const UNTYPED = `The request has no Content-Type, and its body does not begin like JSON. ${TAKEN}`;

/** A body parsed by its type, before the provider's quirks are undone. */
type TypedBody = Readonly<{ format: BodyFormat; value: unknown }>;

/**
 * The `payload` of templates. An empty body is `{}` if it is JSON or has no Content-Type. A JSON object or list is
 * JSON, also as a form, as text, or without a type; nothing else is guessed. `quirks`: a provider's differences from
 * its type.
 */
export async function parseBody(
  contentType: string | null,
  body: Uint8Array,
  quirks: BodyQuirks = {},
): Promise<Parsed<ParsedBody>> {
  const claims = quirks.token === true ? claimsIn(body) : null;
  const typed =
    claims === null ? parseByType(contentType, body, quirks.json_field) : as('json', parseJsonBody(claims));
  if (!typed.ok) return typed;
  const { format, value } = typed.value;
  const inside = jsonInForm(value, quirks, format === 'form' || format === 'multipart');
  if (!inside.ok) return inside;
  const sent = inside.value === null ? value : inside.value.json;
  const payload = withTextsRead(sent, quirks);
  if (!payload.ok) return payload;
  return ok({ format: inside.value === null ? format : 'json_in_form', sent, payload: payload.value });
}

/** Returns the claims of a body that is a token; null if it is none. Verification has the last word about it. */
function claimsIn(body: Uint8Array): Uint8Array | null {
  const token = decodeUtf8(body) ?? '';
  return isCompact(token, body.byteLength) ? decodeBytes(token.split('.')[1] ?? '', 'base64url') : null;
}

function parseByType(
  contentType: string | null,
  body: Uint8Array,
  jsonField: string | undefined,
): Parsed<TypedBody> {
  if (contentType === null || contentType.trim() === '')
    return body.length === 0 || beginsLikeJson(body) ? as('json', parseJsonBody(body)) : unsupported(UNTYPED);
  const media = parseMediaType(contentType);
  if (media === null)
    return unsupported(`The Content-Type \`${shown(contentType)}\` is not a media type. ${TAKEN}`);
  const { essence, parameters } = media;
  const charset = parameters.get('charset') || undefined;
  if (isJsonType(media)) return as('json', parseJsonBody(body, charset));
  if (essence === 'application/x-www-form-urlencoded') return parseFormOrJson(body, charset);
  if (essence === 'multipart/form-data') return as('multipart', parseMultipart(media, body, jsonField));
  if (XML_TYPE.test(essence)) return as('xml', parseXml(body, charset));
  if (essence.startsWith('text/')) return parseTextOrJson(body, charset);
  return unsupported(`Bodies of type \`${shown(essence)}\` are not accepted. ${TAKEN}`);
}

const as = (format: BodyFormat, value: Parsed): Parsed<TypedBody> =>
  value.ok ? ok({ format, value: value.value }) : value;

/** Empty is `{}`. RFC 8259 §8.1: JSON is UTF-8, whatever the charset is; only what is no UTF-8 is read by that. */
function parseJsonBody(body: Uint8Array, charset?: string): Parsed {
  const utf8 = decodeText(body);
  const text = utf8.ok || charset === undefined ? utf8 : decodeText(body, charset);
  if (!text.ok) return text;
  return text.value.trim() === '' ? ok({}) : parseJson(text.value, 'The body');
}

/** Many programs send JSON as a form, such as curl with `-d`. In a form, a brace would be escaped. */
function parseFormOrJson(body: Uint8Array, charset?: string): Parsed<TypedBody> {
  const text = beginsLikeJson(body) ? decodeText(body) : null;
  return text?.ok === true && (/^\s*\{/.test(text.value) || holdsJson(text.value))
    ? as('json', parseJson(text.value, 'The body'))
    : as('form', parseForm(body, charset));
}

/** Many programs send JSON as text, such as `fetch` in a browser. */
function parseTextOrJson(body: Uint8Array, charset?: string): Parsed<TypedBody> {
  const text = decodeText(body, charset);
  // JSON is UTF-8, whatever the charset is.
  const utf8 = beginsLikeJson(body) ? decodeText(body) : text;
  const json = [utf8, text].find((one) => one.ok && holdsJson(one.value));
  return json?.ok === true ? as('json', parseJson(json.value, 'The body')) : as('text', text);
}

function beginsLikeJson(body: Uint8Array): boolean {
  const first = body.find((byte) => !BLANKS.has(byte));
  return first === 0x7b || first === 0x5b;
}

/** Tab, line feed, carriage return, space, and a byte order mark. */
const BLANKS: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0d, 0x20, 0xef, 0xbb, 0xbf]);

/** Printable ASCII without a backtick, and not longer than any real one. */
const HARMLESS = /^[ -_a-~]{1,100}$/;

/** A header if it is safe to show: whole or not at all, since redaction does not recognise a part of a secret. */
const shown = (header: string): string => (HARMLESS.test(header) ? header : '…');

/** The JSON of a form that is one field: the provider's, or a lone `payload` (GitHub, Slack). Null if there is none. */
export function jsonInForm(
  sent: unknown,
  { json_field }: BodyQuirks,
  isForm: boolean,
): Parsed<{ readonly json: unknown } | null> {
  const alone = isForm && isObject(sent) && Object.keys(sent).join() === 'payload' ? 'payload' : null;
  for (const field of [alone, json_field]) {
    const text = typeof field === 'string' ? ownValue(sent, field) : undefined;
    if (typeof text !== 'string' || (field === alone && !/^\s*[[{]/.test(text))) continue;
    const json = parseJson(text, `The form field \`${field}\``);
    return json.ok ? ok({ json: json.value }) : json;
  }
  return ok(null);
}

/** A copy of the payload, with the texts at the provider's paths decoded and parsed. `sent` is not changed. */
export function withTextsRead(sent: unknown, { base64_texts = [], json_texts = [] }: BodyQuirks): Parsed {
  let payload = sent;
  for (const path of [...base64_texts, ...json_texts]) {
    const value = ownValue(payload, path);
    if (typeof value !== 'string') continue;
    const bytes = base64_texts.includes(path) ? decodeBytes(value, 'base64') : null;
    // What is not text in base64 stays unchanged.
    const text = (bytes && decodeUtf8(bytes)) ?? value;
    const parsed = holdsJson(text) ? parseJson(text, `The JSON in \`${path}\``) : ok(text);
    if (!parsed.ok) return parsed;
    if (parsed.value !== value) payload = changedAt(payload, path.split('.'), () => parsed.value);
  }
  return ok(payload);
}

/** True if a text is a JSON object or list. Text that only begins like JSON remains text: a person may have typed it. */
export const holdsJson = (text: string): boolean =>
  /^\s*[[{]/.test(text) && maybeJson(text.replace(/^\ufeff/, '')) !== undefined;
