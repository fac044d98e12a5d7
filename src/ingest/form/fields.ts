import { TURNSTILE_FIELD, type FieldRule, type FormRules } from '../../config/compiled/form-rules.ts';
import { withoutControls } from '../../lib/text.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { isObject, ownValue } from '../../lib/json.ts';
import { parsePhone, type PhoneRules } from '../../phone/read.ts';
import type { RandomBytes } from '../../lib/id.ts';
import { digestOf } from '../../signature/basics/request.ts';
import { CHARSET_FIELD } from '../parse/form.ts';
import { type VerifiedRequest, identify } from '../request/event.ts';
import { withPayload } from '../request/verify.ts';
import { MOMENT_FIELD, type OwnFields } from './spam.ts';
import { ENGLISH, faultText, type FaultCode, type FormFault } from './texts.ts';

/** The bounds of fields that the source does not declare. */
const MAX_OTHERS = 50;
const MAX_NAME = 64;
const MAX_VALUE = 2_000;

/** The maximum number of values that are read of one field: of a group of checkboxes, or of the same field twice. */
const MAX_VALUES = 50;

/** Matches what a mail server accepts as an address; only a mail can show that the address exists. */
const EMAIL = /^[^@\s<>",;]{1,64}@[^@\s<>",;.]+(?:\.[^@\s<>",;.]+)+$/;

/** Returns the fields that routes see: the declared ones, checked, and others if the source keeps them. */
export function checkFields(
  { fields, keepsOthers }: Pick<FormRules, 'fields' | 'keepsOthers'>,
  sent: Readonly<Record<string, unknown>>,
  { country, countries, own }: PhoneRules & { readonly own: readonly string[] },
): Result<Readonly<Record<string, unknown>>, readonly FormFault[]> {
  const kept: [string, unknown][] = [];
  const faults: FormFault[] = [];
  for (const field of fields) {
    const value = Object.hasOwn(sent, field.name) ? sent[field.name] : undefined;
    const read = readField(field, value, { country, countries });
    if (!read.ok) faults.push({ field, code: read.error });
    else if (read.value !== null) kept.push([field.name, read.value]);
  }
  if (faults.length > 0) return err(faults);
  if (keepsOthers) kept.push(...others(sent, [...fields.map(({ name }) => name), ...own]));
  // fromEntries defines each key and never assigns, so `__proto__` is a key like any other.
  return ok(Object.fromEntries(kept));
}

/** A name that a page may give an input. A stranger may write anything in its place, such as a number of somebody. */
const INPUT_NAME = /^(?=\p{L}[\p{L}\p{N}_.[\]-]{0,31}$)(?!.*\d{5})/u;

const MAX_NAMED = 8;

/** What a form was refused for, without its content, and the fields that it has in place of declared ones. */
export const faultsText = (
  faults: readonly FormFault[],
  fields: readonly FieldRule[],
  sent: readonly string[],
): string =>
  [
    ...faults.map(
      ({ field, code }) => `${code === 'required' ? 'without' : 'with a wrong'} \`${field.name}\``,
    ),
    ...sent
      .filter((name) => INPUT_NAME.test(name) && !fields.some((field) => field.name === name))
      .slice(0, MAX_NAMED)
      .map((name) => `with an undeclared \`${name}\``),
  ]
    .slice(0, MAX_NAMED)
    .join('; ');

/** Returns the value of a field; null if it was left empty. */
function readField(
  { kind, max, required }: FieldRule,
  value: unknown,
  at: PhoneRules,
): Result<unknown, FaultCode> {
  const nothing = required ? err('required' as const) : ok(null);
  if (kind === 'file') {
    const files = filesOf(value);
    if (files.some(({ filename }) => filename.length > max)) return err('too_long');
    return files.length === 0 ? nothing : ok(files.length === 1 ? files[0] : files);
  }
  const text = textOf(value);
  if (text === null) return err('text');
  if (text === '') return nothing;
  if (text.length > max) return err('too_long');
  if (kind === 'email' && !EMAIL.test(text)) return err('email');
  if (kind === 'phone' && !parsePhone(text, at).ok) return err('phone');
  return ok(kind === 'name' ? text.replaceAll(/\s+/g, ' ') : text);
}

/** Joins several values, as checkboxes make them, into one text. Null if the value is not a text. */
function textOf(value: unknown): string | null {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) {
    const parts = value.slice(0, MAX_VALUES).map(scalar);
    return parts.includes(null) ? null : parts.filter((part) => part !== '').join(', ');
  }
  return scalar(value);
}

function scalar(value: unknown): string | null {
  if (typeof value === 'string') return withoutControls(value).trim().toWellFormed();
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

/** The names of files: their contents were dropped at parsing. A field without a file has an empty name. */
const filesOf = (value: unknown) =>
  (Array.isArray(value) ? value.slice(0, MAX_VALUES) : [value]).flatMap((one: unknown) => {
    const [name, type, size] = ['filename', 'type', 'size'].map((key) => ownValue(one, key));
    const filename = typeof name === 'string' ? (scalar(name) ?? '') : '';
    if (filename === '') return [];
    const known = typeof type === 'string' ? type.slice(0, MAX_NAME) : '';
    return [{ filename, type: known, size: typeof size === 'number' ? size : 0 }];
  });

const others = (sent: Readonly<Record<string, unknown>>, known: readonly string[]) =>
  Object.entries(sent)
    .flatMap(([name, value]): [string, unknown][] => {
      if (known.includes(name) || name.length > MAX_NAME) return [];
      const read = textOf(value)?.slice(0, MAX_VALUE).toWellFormed() ?? filesOf(value);
      return read.length === 0 ? [] : [[name, typeof read === 'string' ? read : read[0]]];
    })
    .slice(0, MAX_OTHERS);

const NEXT = '_next';

/** Longer texts are none that we take, but still too long. */
const MAX_OWN = 4_096;

export const ownOf = ({ spam }: FormRules, sent: Readonly<Record<string, unknown>>): OwnFields => ({
  next: oneText(sent[NEXT]),
  moment: oneText(sent[MOMENT_FIELD]),
  token: oneText(sent[TURNSTILE_FIELD]),
  isTrapped: spam.honeypot !== null && isFilled(sent[spam.honeypot]),
});

const oneText = (value: unknown): string => (typeof value === 'string' ? value.slice(0, MAX_OWN) : '');

/** True if any of its values is filled: two fields with the same name make a list. */
const isFilled = (value: unknown): boolean =>
  Array.isArray(value) ? value.some(isFilled) : value !== undefined && value !== null && value !== '';

/** Fields that the visitor did not write: ours, the browser's, Turnstile's, and the field that people do not see. */
export const ownFields = ({ spam }: FormRules): readonly string[] => [
  NEXT,
  CHARSET_FIELD,
  MOMENT_FIELD,
  TURNSTILE_FIELD,
  ...(spam.honeypot === null ? [] : [spam.honeypot]),
];

/** Returns the body's fields; null if the body is a text or a list. */
export const fieldsOf = (payload: unknown): Readonly<Record<string, unknown>> | null =>
  isObject(payload) ? payload : null;

/** Returns the same request with its fields as routes get them, or the faults that its visitor has to correct. */
export function checkedForm(request: VerifiedRequest): Result<VerifiedRequest, readonly FormFault[]> {
  const { form, locale } = request.source;
  if (form === null) return ok(request);
  const sent = fieldsOf(request.facts.payload) ?? {};
  const fields = checkFields(form, sent, { ...locale, own: ownFields(form) });
  return fields.ok ? ok(withPayload(request, fields.value)) : fields;
}

/** Does the same for previews, with the faults as one text, in English like all errors of the API. */
export function previewedForm(request: VerifiedRequest): Result<VerifiedRequest, string> {
  const checked = checkedForm(request);
  if (checked.ok) return checked;
  return err(`the form is refused: ${checked.error.map((fault) => faultText(ENGLISH, fault)).join(' ')}`);
}

/** The same checked fields twice in a short time are one event: a double click, or *Back* and *Send*. */
export function identifyForm(request: VerifiedRequest, randomBytes: RandomBytes) {
  const { event, dedupeFailure } = identify(request, randomBytes);
  const { bodyMs } = event.source.dedupe;
  if (bodyMs === 0) return { event, dedupeFailure };
  const digest = digestOf(JSON.stringify(event.payload));
  return { event: { ...event, signed: { digests: [digest], windowMs: bodyMs } }, dedupeFailure };
}
