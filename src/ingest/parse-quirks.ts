import { ok, type Result } from '../lib/result.ts';
import type { BodyQuirks } from '../provider/provider.ts';
import { ownValue } from '../signature/own-path.ts';
import { parseJson } from './parse-json.ts';
import type { ParseRefusal } from './parse-refusal.ts';

/**
 * A payload after what its provider does to bodies is undone: JSON that came as a text is put where the text was.
 * `payload` was parsed a moment ago and belongs to nobody else, so it is changed in place.
 */
export function undoQuirks(
  payload: unknown,
  { json_field, json_texts = [] }: BodyQuirks,
): Result<unknown, ParseRefusal> {
  if (json_field !== undefined) {
    const text = ownValue(payload, json_field);
    if (typeof text === 'string') return parseJson(text, `The form field \`${json_field}\``);
  }
  for (const path of json_texts) {
    const refusal = decodeInPlace(payload, path);
    if (refusal !== null) return refusal;
  }
  return ok(payload);
}

/** A text that only begins like JSON is a text: a person may have typed it. */
function decodeInPlace(
  payload: unknown,
  path: string,
): Extract<Result<unknown, ParseRefusal>, { ok: false }> | null {
  const cut = path.lastIndexOf('.');
  const holder = cut < 0 ? payload : ownValue(payload, path.slice(0, cut));
  const name = path.slice(cut + 1);
  if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, name)) return null;
  const text: unknown = Reflect.get(holder, name);
  if (typeof text !== 'string' || !/^\s*[[{]/.test(text) || !isJson(text)) return null;
  const parsed = parseJson(text, `The JSON in \`${path}\``);
  if (!parsed.ok) return parsed;
  Reflect.set(holder, name, parsed.value);
  return null;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
