import type { Provider } from '../../provider/provider.ts';
import type { Answered } from '../../schema/api-parts.ts';
import type { Reports } from '../documents/issues.ts';
import { formKeys, isFieldName, type SourceDocument } from '../documents/schema.ts';

export type { FieldRule } from './form-field.ts';

/** The field in which Turnstile's widget puts its answer. */
export const TURNSTILE_FIELD = 'cf-turnstile-response';

/** The maximum length of a value unless its field says otherwise (UTF-16 units). */
export const MAX_OF_KIND = { text: 2_000, name: 80, email: 254, phone: 40, file: 255 } as const;

/** The maximum number of fields. Each is checked for each visitor, and named in an answer. */
const MAX_FIELDS = 100;

/** Fields that hold a name unless the form says otherwise. A message to a visitor may use them. */
const NAMES: ReadonlySet<string> = new Set(['name', 'first_name', 'last_name', 'firstname', 'lastname']);

const SAYS = {
  onlyForms: 'is only for forms: it needs `provider: html-form`',
  noSecret: 'has no effect: a page cannot keep a secret. List the pages that may post in `origins`',
  anyPage: 'is missing, so any page can post this form. Name yours: `origins: [https://shop.example]`',
  fieldName: 'must have names of up to 64 characters on one line, starting with a letter or a digit',
  noCountry:
    'is missing, and visitors write their numbers without a country code: those are refused. Name yours: `country: DE`',
  tooMany: `must have at most ${MAX_FIELDS} fields`,
  dropsAll: 'drops everything: the form declares no `fields`',
  turnstile: `reserves the field \`${TURNSTILE_FIELD}\` for Turnstile: rename yours`,
  notKept: 'stores no fields with `store: metadata`, so no form can be released from spam',
};

/** For a route to a number from a form: anybody can have its message sent to anybody, so it may show little. */
export interface VisitorRule {
  /** The fields that its texts may show. They hold names. */
  readonly names: readonly string[];
}

export type FormRules = Answered<NonNullable<ReturnType<typeof compileForm>>>;

export function compileForm(provider: Provider | null, document: SourceDocument, { report, warn }: Reports) {
  if (provider === null) return null;
  if (provider.form !== true) {
    for (const key of Object.keys(formKeys))
      if (Reflect.get(document, key) !== undefined) report(`.${key}`, 'misplaced', SAYS.onlyForms);
    return null;
  }
  const { origins = null, redirect, fields = {}, other_fields: others, verify } = document;
  if (verify !== undefined) report('.verify', 'no-effect', SAYS.noSecret);
  if (origins === null) warn('.origins', 'unsafe', SAYS.anyPage);
  const rules = Object.entries(fields).map(([name, field]) => {
    if (!isFieldName(name)) report('.fields', 'malformed', SAYS.fieldName);
    const { kind = NAMES.has(name) ? 'name' : 'text', label = null, required = false } = field;
    return { name, kind, label, max: field.max ?? MAX_OF_KIND[kind], required };
  });
  if (document.country === undefined && rules.some(({ kind }) => kind === 'phone'))
    warn('.country', 'required', SAYS.noCountry);
  if (rules.length > MAX_FIELDS) report('.fields', 'too-long', SAYS.tooMany);
  if (rules.length === 0 && others === 'drop') report('.other_fields', 'no-effect', SAYS.dropsAll);
  return {
    /** `any`: any page, and requests that do not state their origin. Null: any page that states its origin. */
    origins,
    /** The pages to which browsers are redirected; null for a small page of the relay. */
    redirect: { ok: redirect?.ok ?? null, failed: redirect?.failed ?? null },
    /** If empty, the form takes any field. */
    fields: rules,
    keepsOthers: others === undefined ? rules.length === 0 : others === 'keep',
    spam: compileSpam(document, { report, warn }),
  };
}

/** A rule that is null is not used. */
function compileSpam({ fields = {}, spam = {}, store }: SourceDocument, { report, warn }: Reports) {
  const { honeypot = null, links = null, min_seconds: seconds, turnstile = null } = spam;
  if (honeypot !== null && Object.hasOwn(fields, honeypot)) {
    const visible = `is \`${honeypot}\`, one of \`fields\`, which visitors fill in: name another`;
    report('.spam.honeypot', 'reserved', visible);
  }
  for (const name of [honeypot ?? '', ...Object.keys(fields)])
    if (name === TURNSTILE_FIELD) report('.spam', 'reserved', SAYS.turnstile);
  if (store === 'metadata' && Object.keys(spam).length > 0) warn('.spam', 'no-effect', SAYS.notKept);
  const minMs = seconds === undefined ? null : seconds * 1_000;
  return { honeypot, links, minMs, turnstile, perHour: spam.per_address?.per_hour ?? null };
}
