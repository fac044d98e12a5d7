import { ok, type Result } from '../../lib/result.ts';
import { decodeText } from '../../lib/encoding.ts';
import { refuse, type SignatureRefusal } from '../basics/request.ts';
import { separators, type SignedScheme } from './signed-options.ts';

/** Sixteen SHA-512 signatures in hex with their keys fit; anything longer is refused. UTF-16 units. */
const MAX_TEXT = 4_096;

export interface SignatureForm {
  /** For refusals: `of 32 bytes`. */
  readonly description: string;
  /** The maximum number that a sender lists, one per secret; more would be guesses. */
  readonly max: number;
  /** Returns the bytes to compare, or null if they are not a signature. */
  readonly read: (bytes: Uint8Array) => Uint8Array | null;
}

export interface SignatureList {
  /** At least one, each of the algorithm's form. */
  readonly signatures: readonly Uint8Array[];
  /** Every value by its key, for the parameters that are listed with the signatures. */
  readonly params: ReadonlyMap<string, readonly string[]>;
}

export const ofLength = (length: number, max: number): SignatureForm => ({
  description: `of ${length} bytes`,
  max,
  read: (bytes) => (bytes.byteLength === length ? bytes : null),
});

/** Reads the signatures in `text`, in the scheme's notation. `place` names it in the refusal. */
export function readSignatures(
  text: string,
  scheme: SignedScheme,
  form: SignatureForm,
  place: string,
): Result<SignatureList, SignatureRefusal> {
  if (text.length > MAX_TEXT) return refuse('malformed', `${place} is longer than ${MAX_TEXT} characters`);
  if (isDoubled(text, scheme)) return refuse('malformed', `${place} is given more than once`);
  const items = splitList(text, scheme);
  const params = readParams(items, scheme);
  if (params === null)
    return refuse('malformed', `${place} has an item without \`${separators(scheme).pair}\``);

  const written = scheme.keys === undefined ? items : scheme.keys.flatMap((key) => params.get(key) ?? []);
  if (written.length === 0 && scheme.keys !== undefined)
    return refuse('unknown_key', `${place} has no signature under ${scheme.keys.join(' or ')}`);
  if (written.length > form.max)
    return refuse('malformed', `${place} lists more than ${form.max} signatures`);

  const signatures = written.map((one) => decodeSignature(one, scheme, form)).filter((one) => one !== null);
  if (signatures.length > 0) return ok({ signatures, params });
  return refuse(
    'malformed',
    `${place} has no ${scheme.encoding} signature ${form.description}${expectedPrefix(scheme)}`,
  );
}

/** Headers with the same name arrive joined by `, `, which appears only in lists with commas. */
function isDoubled(text: string, scheme: SignedScheme): boolean {
  const { list } = separators(scheme);
  return list !== undefined && list !== ',' && text.includes(', ');
}

/** Trailing separators and doubled spaces make empty items, which are skipped. */
function splitList(text: string, scheme: SignedScheme): readonly string[] {
  const { list } = separators(scheme);
  if (list === undefined) return [text.trim()];
  return text
    .split(list)
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** Splits at the first separator only: base64 ends in `=`. Null if an item has none. */
function readParams(
  items: readonly string[],
  scheme: SignedScheme,
): ReadonlyMap<string, readonly string[]> | null {
  const params = new Map<string, string[]>();
  const { pair } = separators(scheme);
  if (pair === undefined) return params;
  for (const item of items) {
    const at = item.indexOf(pair);
    if (at < 0) return null;
    const key = item.slice(0, at);
    const values = params.get(key) ?? [];
    params.set(key, values);
    values.push(item.slice(at + 1));
  }
  return params;
}

function decodeSignature(written: string, scheme: SignedScheme, form: SignatureForm): Uint8Array | null {
  const { prefix = '', prefix_optional = false, encoding } = scheme;
  const hasPrefix = written.startsWith(prefix);
  if (!hasPrefix && !prefix_optional) return null;
  const bytes = decodeText(hasPrefix ? written.slice(prefix.length) : written, encoding);
  return bytes === null ? null : form.read(bytes);
}

const expectedPrefix = ({ prefix, prefix_optional }: SignedScheme): string =>
  prefix === undefined || prefix_optional === true ? '' : ` after \`${prefix}\``;
