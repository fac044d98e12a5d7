import { createCache } from '../../lib/cache.ts';
import { ownValue } from '../../lib/json.ts';
import { ok } from '../../lib/result.ts';
import { decodeText, decodeUtf8 } from '../../lib/encoding.ts';
import {
  decodeField,
  formObject,
  MAX_FIELDS,
  namedCharset,
  tooManyFields,
  unescaped,
  type FormField,
} from './form.ts';
import { parseJson } from './json.ts';
import {
  isJsonType,
  parametersOf,
  parseMediaType,
  type MediaType,
  malformed,
  decoderFor,
  type Parsed,
} from './text.ts';

/** A file of a form. Its content is dropped: a template has no use for it, and an event is kept for weeks. */
interface FilePart {
  readonly filename: string;
  readonly type: string;
  readonly size: number;
}

interface Part {
  /** What its headers say in ASCII. */
  readonly headers: Headers;
  /** The bytes of its headers, if they are not ASCII; null if they are. */
  readonly head: Uint8Array | null;
  readonly content: Uint8Array;
}

/**
 * Parses a `multipart/form-data` body into an object like a form's, see `formObject`; files become {@link FilePart}, and
 * a part that says that it is JSON is what that holds. `jsonField`: a field that stays text, since it is the whole
 * payload. This is not the platform's parser, which reads every text as UTF-8 and hides what is none.
 */
export function parseMultipart(media: MediaType, body: Uint8Array, jsonField?: string): Parsed {
  const boundary = media.parameters.get('boundary') ?? '';
  if (boundary === '') {
    return malformed(
      'The Content-Type has no `boundary`. Send the one that separates the parts of the body.',
    );
  }
  const parts = splitParts(body, boundary);
  if (!parts.ok) return parts;
  const decoderOf = decodersOf(parts.value, media);
  const isWhole = (name: string): boolean =>
    name === jsonField || (name === 'payload' && parts.value.length === 1);
  const fields: FormField[] = [];
  for (const part of parts.value) {
    const field = readField(part, decoderOf, { at: fields.length, isWhole });
    if (!field.ok) return field;
    fields.push(field.value);
  }
  return ok(formObject(fields));
}

/** More than any real part has. It bounds the work of the patterns below. */
const MAX_HEAD_BYTES = 16_384;

function splitParts(body: Uint8Array, boundary: string): Parsed<readonly Part[]> {
  const broken = (fault: string) =>
    malformed(`The multipart body of ${body.length} bytes is malformed: ${fault}. Send it again as a whole.`);
  // One character a byte, so that a place in the text is a place in the bytes. Only its ASCII means anything.
  const text = new TextDecoder('latin1').decode(body);
  const escaped = boundary.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const delimiter = new RegExp(`(?:^|\\r?\\n)--${escaped}(--)?[ \\t]*(?:\\r?\\n|$)`, 'g');
  const parts: Part[] = [];
  let start: number | null = null;
  for (const { 0: line, 1: isLast, index } of text.matchAll(delimiter)) {
    if (start !== null) {
      if (parts.length === MAX_FIELDS) return tooManyFields();
      const blank = /\r?\n\r?\n/.exec(text.slice(start, index));
      if (blank === null || blank.index > MAX_HEAD_BYTES)
        return broken('the headers of a part do not end, or are too long');
      const end = start + blank.index;
      const headText = text.slice(start, end);
      const headers = headersOf(headText);
      if (headers.name === undefined) return broken('a part has no Content-Disposition with a name');
      const head = /[^ -~\s]/.test(headText) ? body.subarray(start, end) : null;
      parts.push({ headers, head, content: body.subarray(end + blank[0].length, index) });
    }
    if (isLast !== undefined) return ok(parts);
    start = index + line.length;
  }
  return broken(
    start === null
      ? 'it does not have the boundary that its Content-Type names'
      : 'its last part does not end with the boundary',
  );
}

interface Headers {
  readonly name: string | undefined;
  /** Undefined if the part is no file. */
  readonly filename: string | undefined;
  readonly media: MediaType | null;
  readonly transfer: string;
}

const DISPOSITION = /^content-disposition[ \t]*:(.*)$/im;
const TYPE = /^content-type[ \t]*:(.*)$/im;
const TRANSFER = /^content-transfer-encoding[ \t]*:(.*)$/im;

function headersOf(head: string): Headers {
  const lines = head.replaceAll(/\r?\n[ \t]+/g, ' ');
  const [disposition = '', type = '', transfer = ''] = [DISPOSITION, TYPE, TRANSFER].map(
    (header) => header.exec(lines)?.[1],
  );
  const parameters = parametersOf(disposition);
  return {
    name: parameterOf(parameters, 'name'),
    filename: parameterOf(parameters, 'filename'),
    media: parseMediaType(type),
    transfer: transfer.trim().toLowerCase(),
  };
}

/** Browsers escape quotes and line ends in their own way, and some programs all that is not ASCII (RFC 8187). */
const parameterOf = (parameters: ReadonlyMap<string, string>, name: string): string | undefined =>
  extendedValue(parameters.get(`${name}*`) ?? '') ??
  parameters.get(name)?.replace(/%(?:22|0[AD])/gi, decodeURIComponent);

const PERCENT = 0x25;
const EQUALS = 0x3d;

function extendedValue(text: string): string | undefined {
  const [, charset, value = ''] = /^([^']+)'[^']*'(.*)$/.exec(text) ?? [];
  if (charset === undefined) return undefined;
  const decoder = decoderFor(charset);
  if (!decoder.ok) return undefined;
  const decoded = decodeField(unescaped(new TextEncoder().encode(value), PERCENT), decoder.value, 0);
  return decoded.ok ? decoded.value : undefined;
}

type DecoderOf = (headers: Headers) => Parsed<TextDecoder>;

/** The decoder of a part's charset: its own, that of SendGrid's list by field, or that of the whole form. */
function decodersOf(parts: readonly Part[], { parameters }: MediaType): DecoderOf {
  const valueOf = (field: string): Uint8Array | undefined =>
    parts.find(({ headers }) => headers.name === field)?.content;
  const listText = decodeUtf8(valueOf('charsets') ?? new Uint8Array());
  const list = parseJson(listText ?? '', 'The body');
  const whole = namedCharset(valueOf) ?? (parameters.get('charset') || 'utf-8');
  const known = createCache<ReturnType<DecoderOf>>(8);
  return ({ name = '', media }) => {
    const listed = list.ok && !name.includes('.') ? ownValue(list.value, name) : undefined;
    const charset = media?.parameters.get('charset') || (typeof listed === 'string' && listed) || whole;
    return known(charset, () => decoderFor(charset));
  };
}

function readField(
  part: Part,
  decoderOf: DecoderOf,
  { at, isWhole }: { readonly at: number; readonly isWhole: (name: string) => boolean },
): Parsed<FormField> {
  const decoded: Decode = (text) => {
    const decoder = decoderOf(part.headers);
    return decoder.ok ? decodeField(text, decoder.value, at) : decoder;
  };
  const headers = part.head === null ? ok(part.headers) : readHead(part.head, decoded);
  if (!headers.ok) return headers;
  const { name = '', filename, media, transfer } = headers.value;
  const bytes = transferred(part.content, transfer);
  if (bytes === null) return malformed(`Field ${at + 1} of the form ${NOT_TRANSFERRED}.`);
  if (filename !== undefined) {
    const file: FilePart = { filename, type: media?.essence ?? '', size: bytes.byteLength };
    return ok([name, file]);
  }
  const text = decoded(bytes);
  if (!text.ok) return text;
  const isText = media === null || !isJsonType(media) || isWhole(name) || text.value.trim() === '';
  const value = isText ? text : parseJson(text.value, `Field ${at + 1} of the form`);
  return value.ok ? ok([name, value.value]) : value;
}

type Decode = (bytes: Uint8Array) => Parsed<string>;

/** Most programs write names in UTF-8, whatever the text is in. */
function readHead(head: Uint8Array, decoded: Decode): Parsed<Headers> {
  const utf8 = decodeUtf8(head);
  const text = utf8 === null ? decoded(head) : ok(utf8);
  return text.ok ? ok(headersOf(text.value)) : text;
}

const NOT_TRANSFERRED =
  'is not in its Content-Transfer-Encoding, or that is none of base64, quoted-printable, 7bit, 8bit and binary';

/** Returns the bytes of a part; null if they are not in the encoding that its headers name. */
function transferred(content: Uint8Array, encoding: string): Uint8Array | null {
  if (['', '7bit', '8bit', 'binary'].includes(encoding)) return content;
  const text = decodeUtf8(content);
  if (text === null) return null;
  if (encoding === 'base64') return decodeText(text.replaceAll(/\s+/g, ''), 'base64');
  if (encoding !== 'quoted-printable') return null;
  // A line that ends in `=` continues.
  return unescaped(new TextEncoder().encode(text.replaceAll(/=[ \t]*\r?\n/g, '')), EQUALS);
}
