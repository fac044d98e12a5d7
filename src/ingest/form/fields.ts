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
import { ENGLISH, faultText, type FaultCode, type FormFault } from './texts.ts';

/** The bounds of fields that the source does not declare. */
const MAX_OTHERS = 50;
const MAX_NAME = 64;
const MAX_VALUE = 2_000;

/** The maximum number of values that are read of one field: of a group of checkboxes, or of the same field twice. */
const MAX_VALUES = 50;

/** Matches what a mail server accepts as an address; only a mail can show that the address exists. */
const EMAIL = /^[^@\s<>",;]{1,64}@[^@\s<>",;.]+(?:\.[^@\s<>",;.]+)+$/;

type Fields = Readonly<Record<string, unknown>>;

/** Returns the fields that routes see: the declared ones, checked, and others if the source keeps them. */
export function checkFields(
  rules: Omit<FormRules, 'origins' | 'redirect'>,
  sent: Fields,
  phones: PhoneRules,
): Result<Fields, readonly FormFault[]> {
  const kept: [string, unknown][] = [];
  const faults: FormFault[] = [];
  for (const field of rules.fields) {
    const value = Object.hasOwn(sent, field.name) ? sent[field.name] : undefined;
    const read = readField(field, value, phones);
    if (!read.ok) faults.push({ field, code: read.error });
    else if (read.value !== null) kept.push([field.name, read.value]);
  }
  if (faults.length > 0) return err(faults);
  if (rules.keepsOthers) kept.push(...others(sent, rules));
  // fromEntries defines each key and never assigns, so `__proto__` is a key like any other.
  return ok(Object.fromEntries(kept));
}

/** A name that a page may give an input. A stranger may write anything in its place, such as a number of somebody. */
const INPUT_NAME = /^(?=\p{L}[\p{L}\p{N}_.[\]-]{0,31}$)(?!.*\d{5})/u;

const MAX_NAMED = 8;

/** What a form was refused for, without its content, and the fields that it has in place of declared ones. */
export function faultsText(faults: readonly FormFault[], rules: FormRules, sent: Fields): string {
  const wrong = faults.map(
    ({ field, code }) => `${code === 'required' ? 'without' : 'with a wrong'} \`${field.name}\``,
  );
  const known = knownNames(rules);
  const others = Object.keys(sent).filter((name) => INPUT_NAME.test(name) && !known.has(name));
  const undeclared = others.map((name) => `with an undeclared \`${name}\``);
  return [...wrong, ...undeclared].slice(0, MAX_NAMED).join('; ');
}

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

function others(sent: Fields, rules: Parameters<typeof checkFields>[0]) {
  const known = knownNames(rules);
  return Object.entries(sent)
    .flatMap(([name, value]): [string, unknown][] => {
      if (known.has(name) || name.length > MAX_NAME) return [];
      const read = textOf(value)?.slice(0, MAX_VALUE).toWellFormed() ?? filesOf(value);
      return read.length === 0 ? [] : [[name, typeof read === 'string' ? read : read[0]]];
    })
    .slice(0, MAX_OTHERS);
}

const NEXT = '_next';

/** In which a page sends back the moment when it was opened. */
const MOMENT = '_moment';

/** Longer texts are none that we take, but still too long. */
const MAX_OWN = 4_096;

export type OwnFields = ReturnType<typeof ownOf>;

/** What a form has besides its visitor's fields; a text that it lacks is empty. */
export const ownOf = ({ spam }: FormRules, sent: Fields) => ({
  next: oneText(sent[NEXT]),
  moment: oneText(sent[MOMENT]),
  token: oneText(sent[TURNSTILE_FIELD]),
  isTrapped: spam.honeypot !== null && isFilled(sent[spam.honeypot]),
});

const oneText = (value: unknown): string => (typeof value === 'string' ? value.slice(0, MAX_OWN) : '');

/** True if any of its values is filled: two fields with the same name make a list. */
const isFilled = (value: unknown): boolean =>
  Array.isArray(value) ? value.some(isFilled) : value !== undefined && value !== null && value !== '';

/** The declared fields, and those that the visitor did not write: ours, the browser's, Turnstile's, and the hidden one. */
const knownNames = ({ fields, spam }: Pick<FormRules, 'fields' | 'spam'>): ReadonlySet<string | null> =>
  new Set([...fields.map(({ name }) => name), NEXT, CHARSET_FIELD, MOMENT, TURNSTILE_FIELD, spam.honeypot]);

/** Returns the same request with its fields as routes get them, or the faults that its visitor has to correct. */
export function checkedForm(request: VerifiedRequest): Result<VerifiedRequest, readonly FormFault[]> {
  const { form, locale } = request.source;
  const { payload } = request.facts;
  if (form === null) return ok(request);
  const fields = checkFields(form, isObject(payload) ? payload : {}, locale);
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
  const identified = identify(request, randomBytes);
  const { event } = identified;
  const { bodyMs } = event.source.dedupe;
  if (bodyMs === 0) return identified;
  const digest = digestOf(JSON.stringify(event.payload));
  return { ...identified, event: { ...event, signed: { digests: [digest], windowMs: bodyMs } } };
}
