import { err, ok, type Result } from '../../lib/result.ts';
import type { BodyQuirks } from '../../provider/provider.ts';
import type { BodyFormat, ParsedBody } from '../../signature/basics/request.ts';
import { parseForm } from './form.ts';
import { parseJson } from './json.ts';
import { parseMediaType, type MediaType } from './media-type.ts';
import { parseMultipart } from './multipart.ts';
import { jsonInForm, withTextsRead } from './quirks.ts';
import { unsupported, type ParseRefusal } from './refusal.ts';
import { decodeText } from './text.ts';
import { parseXml } from './xml.ts';

/** `text/json` was never registered, but senders use it. */
const JSON_TYPE = /^(?:(?:application|text)\/json|[^/]+\/[^/]+\+json)$/;
const XML_TYPE = /^(?:(?:application|text)\/xml|[^/]+\/[^/]+\+xml)$/;

/** The suggestion for a sender whose type is not accepted. */
const TAKEN =
  'Send application/json, application/x-www-form-urlencoded, multipart/form-data, application/xml or text/plain.';

/** A body parsed by its type, before the provider's quirks are undone. */
interface TypedBody {
  readonly format: BodyFormat;
  readonly value: unknown;
}

/**
 * Parses a webhook's body into the `payload` of its templates: JSON as it is, a form as an object, XML as objects (see
 * `xml.ts`), text as a string. Without a Content-Type, an empty body is `{}`, and a body that begins like a JSON object
 * or list is JSON; nothing else is guessed. `quirks`: how a provider's bodies differ from their type.
 */
export async function parseBody(
  contentType: string | null,
  body: Uint8Array,
  quirks: BodyQuirks = {},
): Promise<Result<ParsedBody, ParseRefusal>> {
  const typed = await parseByType(contentType, body, quirks.json_types ?? []);
  if (!typed.ok) return typed;
  const inside = jsonInForm(typed.value.value, quirks, FORMS.has(typed.value.format));
  if (!inside.ok) return inside;
  const { format, value: sent } =
    inside.value === null ? typed.value : { format: 'json_in_form' as const, value: inside.value.json };
  const payload = withTextsRead(sent, quirks);
  return payload.ok ? ok({ format, sent, payload: payload.value }) : payload;
}

const FORMS: ReadonlySet<BodyFormat> = new Set(['form', 'multipart']);

async function parseByType(
  contentType: string | null,
  body: Uint8Array,
  jsonTypes: readonly string[],
): Promise<Result<TypedBody, ParseRefusal>> {
  if (contentType === null || contentType.trim() === '') return as('json', parseUntyped(body));
  const media = parseMediaType(contentType);
  if (media === null)
    return err(unsupported(`The Content-Type \`${shown(contentType)}\` is not a media type. ${TAKEN}`));
  return jsonTypes.includes(media.essence) ? as('json', parseJsonBody(body)) : parseTyped(media, body);
}

async function parseTyped(media: MediaType, body: Uint8Array): Promise<Result<TypedBody, ParseRefusal>> {
  const { essence, parameters } = media;
  const charset = parameters.get('charset') || undefined;
  // RFC 8259 §8.1: JSON is UTF-8, and a charset parameter has no meaning.
  if (JSON_TYPE.test(essence)) return as('json', parseJsonBody(body));
  if (essence === 'application/x-www-form-urlencoded') return as('form', parseForm(body, charset));
  if (essence === 'multipart/form-data') return as('multipart', await parseMultipart(media, body));
  if (XML_TYPE.test(essence)) return as('xml', parseXml(body, charset));
  if (essence.startsWith('text/')) return as('text', decodeText(body, charset));
  return err(unsupported(`Bodies of type \`${shown(essence)}\` are not accepted. ${TAKEN}`));
}

const as = (format: BodyFormat, value: Result<unknown, ParseRefusal>): Result<TypedBody, ParseRefusal> =>
  value.ok ? ok({ format, value: value.value }) : value;

function parseJsonBody(body: Uint8Array): Result<unknown, ParseRefusal> {
  const text = decodeText(body);
  return text.ok ? parseJson(text.value, 'The body') : text;
}

function parseUntyped(body: Uint8Array): Result<unknown, ParseRefusal> {
  if (body.length === 0) return ok({});
  const first = body.find((byte) => !SPACES.has(byte));
  if (first === 0x7b || first === 0x5b) return parseJsonBody(body);
  return err(unsupported(`The request has no Content-Type, and its body does not begin like JSON. ${TAKEN}`));
}

/** Tab, line feed, carriage return, space. */
const SPACES: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0d, 0x20]);

/** Printable ASCII without a backtick, and not longer than any real one. */
const HARMLESS = /^[ -_a-~]{1,100}$/;

/** A header if it is safe to show: whole or not at all, since redaction does not recognise a part of a secret. */
const shown = (header: string): string => (HARMLESS.test(header) ? header : '…');
