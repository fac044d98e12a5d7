import { ok, type Result } from '../../lib/result.ts';
import type { BodyQuirks } from '../../provider/provider.ts';
import { decodeText, decodeUtf8 } from '../../signature/basics/encoding.ts';
import { ownValue } from '../../lib/own-json.ts';
import { parseJson } from './json.ts';
import type { ParseRefusal } from './refusal.ts';

/**
 * Returns the JSON of a form that has its whole payload in one field: the provider's field if it names one, or
 * `payload` in a form with only that field (GitHub, Slack). Null if there is none.
 */
export function jsonInForm(
  sent: unknown,
  { json_field }: BodyQuirks,
  isForm: boolean,
): Result<{ readonly json: unknown } | null, ParseRefusal> {
  const alone = isForm && isOnlyPayload(sent) ? 'payload' : null;
  for (const field of [alone, json_field]) {
    const text = typeof field === 'string' ? ownValue(sent, field) : undefined;
    if (typeof text !== 'string' || (field === alone && !/^\s*[[{]/.test(text))) continue;
    const json = parseJson(text, `The form field \`${field}\``);
    return json.ok ? ok({ json: json.value }) : json;
  }
  return ok(null);
}

const isOnlyPayload = (sent: unknown): boolean =>
  typeof sent === 'object' && sent !== null && Object.keys(sent).join() === 'payload';

/**
 * Returns a copy of the payload, with the texts at the provider's paths decoded and parsed as JSON. `sent` is not
 * changed.
 */
export function withTextsRead(
  sent: unknown,
  { base64_texts = [], json_texts = [] }: BodyQuirks,
): Result<unknown, ParseRefusal> {
  let payload = sent;
  for (const path of [...base64_texts, ...json_texts]) {
    const value = ownValue(payload, path);
    if (typeof value !== 'string') continue;
    const text = base64_texts.includes(path) ? textInBase64(value) : value;
    const parsed = holdsJson(text) ? parseJson(text, `The JSON in \`${path}\``) : ok(text);
    if (!parsed.ok) return parsed;
    if (parsed.value !== value) payload = replacedAt(payload, path.split('.'), parsed.value);
  }
  return ok(payload);
}

/** Decodes a value. If it is not text in base64, it stays unchanged. */
function textInBase64(value: string): string {
  const bytes = decodeText(value, 'base64');
  return (bytes === null ? null : decodeUtf8(bytes)) ?? value;
}

/** Returns a copy with another value at an existing path. */
function replacedAt(data: unknown, [step, ...rest]: readonly string[], value: unknown): unknown {
  if (step === undefined) return value;
  if (typeof data !== 'object' || data === null) return data;
  const inner = replacedAt(Reflect.get(data, step), rest, value);
  if (Array.isArray(data)) return data.with(Number(step), inner);
  // fromEntries defines each key and never assigns, so `__proto__` is a key like any other.
  return Object.fromEntries(Object.entries(data).map(([name, one]) => [name, name === step ? inner : one]));
}

/** True if a text is a JSON object or list. Text that only begins like JSON remains text: a person may have typed it. */
export function holdsJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text.replace(/^\ufeff/, ''));
    return true;
  } catch {
    return false;
  }
}
