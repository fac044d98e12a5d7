import type { Provider } from '../../provider/provider.ts';
import { formKeys, isFieldName, type SourceDocument, type RouteDocument } from '../documents/schema.ts';
import { hasLink } from '../../template/filters/chat.ts';
import type { CompiledText } from '../../template/text.ts';
import { type Receiver, type Alerting, stepsOf, type Send } from '../compiled/config.ts';
import {
  TURNSTILE_FIELD,
  type FieldKind,
  type FieldRule,
  type FormRules,
  type SpamRules,
  type VisitorRule,
} from '../compiled/form-rules.ts';
import type { Report, Reports } from '../documents/issues.ts';

/** The maximum length of a value unless its field says otherwise (UTF-16 units). */
export const MAX_OF_KIND: Readonly<Record<FieldKind, number>> = {
  text: 2_000,
  name: 80,
  email: 254,
  phone: 40,
  file: 255,
};

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
  onlyFormRoutes: 'is only for routes of forms: `provider: html-form`',
  noVisitor: 'has no effect: `to` has no number from the form',
  toVisitor:
    'is required: `to` takes a number from the form. With `to_visitor: true`, a number gets few messages a day, with nothing from the form but names',
  others: 'has receivers besides the visitor: give them their own route',
  waits: 'cannot be combined with `each`, or with anything that waits or groups',
  link: 'has a link, which a message to a visitor must not have',
};

export function compileForm(
  provider: Provider | null,
  document: SourceDocument,
  { report, warn }: Reports,
): FormRules | null {
  if (provider === null) return null;
  if (provider.form !== true) {
    for (const key of Object.keys(formKeys))
      if (Reflect.get(document, key) !== undefined) report(`.${key}`, 'misplaced', SAYS.onlyForms);
    return null;
  }
  const { origins = null, redirect, fields = {}, other_fields: others, verify } = document;
  if (verify !== undefined) report('.verify', 'no-effect', SAYS.noSecret);
  if (origins === null) warn('.origins', 'unsafe', SAYS.anyPage);
  const rules = Object.entries(fields).map(([name, field]): FieldRule => {
    if (!isFieldName(name)) report('.fields', 'malformed', SAYS.fieldName);
    const { kind = NAMES.has(name) ? 'name' : 'text', label = null, required = false } = field;
    return { name, kind, label, max: field.max ?? MAX_OF_KIND[kind], required };
  });
  if (document.country === undefined && rules.some(({ kind }) => kind === 'phone'))
    warn('.country', 'required', SAYS.noCountry);
  if (rules.length > MAX_FIELDS) report('.fields', 'too-long', SAYS.tooMany);
  if (rules.length === 0 && others === 'drop') report('.other_fields', 'no-effect', SAYS.dropsAll);
  return {
    origins,
    redirect: { ok: redirect?.ok ?? null, failed: redirect?.failed ?? null },
    fields: rules,
    keepsOthers: others === undefined ? rules.length === 0 : others === 'keep',
    spam: compileSpam(document, { report, warn }),
  };
}

function compileSpam(
  { fields = {}, spam = {}, store }: SourceDocument,
  { report, warn }: Reports,
): SpamRules {
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

/** The parts of a scope that the visitor chooses, or that are made from those. */
const VISITORS = /\b(?:payload|item|headers|query|dedupe_key)\b/;

/** A field of the payload, by its name or in brackets, and the filters that follow it. */
const ONE_FIELD = /^payload(?:\.([A-Za-z][\w-]*)|\['([^']*)'\]|\["([^"]*)"\])\s*((?:\|[^]*)?)$/;

/** Anybody can have such a message sent to anybody, so it must not carry a stranger's words or links. Null for other routes. */
export function compileVisitor(
  { to_visitor: isToVisitor, each }: RouteDocument,
  { to, send, alerting }: { to: readonly Receiver[]; send: Send | null; alerting: Alerting | null },
  form: FormRules | null,
  report: Report,
): VisitorRule | null {
  const choosesNumber = to.some((one) => one.from === 'payload' && readsVisitor(one.text));
  if (form === null || !choosesNumber) {
    if (isToVisitor && form === null) report('.to_visitor', 'misplaced', SAYS.onlyFormRoutes);
    else if (isToVisitor) report('.to_visitor', 'no-effect', SAYS.noVisitor);
    return null;
  }
  if (!isToVisitor) {
    report('.to_visitor', 'required', SAYS.toVisitor);
    return null;
  }
  if (!to.every((one) => one.from === 'payload' && readsVisitor(one.text)))
    report('.to', 'receiver', SAYS.others);
  if (alerting !== null || each !== undefined) report('.to_visitor', 'conflict', SAYS.waits);
  const names = form.fields.flatMap(({ name, kind }) => (kind === 'name' ? [name] : []));
  for (const { kind, params } of send === null ? [] : stepsOf(send)) {
    if (kind !== 'text') report('', 'unsupported', `sends \`${kind}\` to a visitor: only a text is allowed`);
    for (const { name, texts } of params)
      for (const fault of texts.flatMap((text) => faultsOf(text, names)))
        report('', 'unsafe', `\`${name}\` ${fault}`);
  }
  return { names };
}

const readsVisitor = ({ source, expressions }: CompiledText): boolean =>
  expressions.some((each) => VISITORS.test(each)) || (source.includes('{%') && VISITORS.test(source));

function faultsOf({ source, expressions }: CompiledText, names: readonly string[]): readonly string[] {
  const links = hasLink(source.replaceAll(/\{\{[^]*?\}\}|\{%[^]*?%\}/g, ' ')) ? [SAYS.link] : [];
  const allowed =
    names.length === 0 ? 'the form declares no field of `kind: name`' : `its names are ${names.join(', ')}`;
  const shown = expressions
    .map((expression) => expression.trim())
    .filter((expression) => {
      const [, name, single, double, filters = ''] = ONE_FIELD.exec(expression) ?? [];
      const isName = names.includes(name ?? single ?? double ?? '') && !VISITORS.test(filters);
      return VISITORS.test(expression) && !isName;
    });
  return [
    ...links,
    ...shown.map(
      (expression) =>
        `shows \`${expression}\`: a message to a visitor may show nothing from the form but a name; ${allowed}`,
    ),
  ];
}
