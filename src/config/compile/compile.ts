import { takes } from '../../gateway/call.ts';
import { V2 } from '../../gateway/shape.ts';
import { memoized } from '../../lib/cache.ts';
import { type Fault, type FieldError, fieldError } from '../../lib/problem.ts';
import { findProvider, factsKeys } from '../../provider/provider.ts';
import { accountPolicy, DEFAULT_ACCOUNT } from './account-policy.ts';
import { documentsOf, rightOnes, type Documents, type SetDocuments } from '../documents/check.ts';
import { compileSource } from './source.ts';
import { checkGateway, gatewayName, gatewaySpec, receiverRule, shapeOf } from '../compiled/gateway-spec.ts';
import { nearListWarnings } from './receivers.ts';
import { compileTemplate } from './route.ts';
import { BY_HAND, compileSilences, silenceWarnings } from './silences.ts';
import { WITHOUT_ZONE } from '../compiled/hours.ts';
import { circleWarnings } from './alerting.ts';
import { firstOf, type Report } from '../documents/issues.ts';
import { KINDS } from '../documents/name.ts';
import type { ListedOverride } from '../compiled/rotation.ts';
import type { AccountPolicy, Config, EscapePolicy, Source, Send } from '../compiled/config.ts';
import { credentialNames, DEFAULT_ACCOUNT_NAME } from '../secrets/credential-names.ts';
import type { ConfigSet, TemplateDocument } from '../documents/schema.ts';
import { checkSecretEnds } from '../secrets/hosts.ts';
import { isAList, noSuch } from '../documents/unknown-name.ts';
import { readDocumentNumber } from '../../phone/dialled.ts';
import { knownPlans, readNumber } from '../../phone/numbering.ts';
import { glimpse } from '../../template/basics/print.ts';
import { isMessageKind, MAX_PARAM_LENGTH, MESSAGE_KINDS } from '../../gateway/kinds.ts';
import { isExpression } from '../../template/basics/locale.ts';
import { withPartials, type TextPlace } from '../../template/partials.ts';
import { FIRST_LANGUAGE, languageOf } from '../documents/starter-texts.ts';
import { isObject } from '../../lib/json.ts';

const HIDES_SHIPPED =
  'has the name of a provider that hookbell ships: sources of this configuration use this file in its place. Give it another name if you want both';

/** A compiled set with its errors and warnings. If there are errors, `config` lacks the parts that have them. */
interface Compiled {
  readonly config: Config;
  /** The set with what hookbell ships; the same object if nothing differs. */
  readonly built: ConfigSet;
  readonly errors: readonly FieldError[];
  readonly warnings: readonly FieldError[];
}

/** Checks a set as a whole. `now` (ms): also warns of what is over, and of numbers that no phone has. `overrides`: by hand. */
export function compileConfig(
  set: ConfigSet,
  version: number,
  now: number | null = null,
  overrides: readonly ListedOverride[] = [],
): Compiled {
  const whole = built(set);
  const documents = documentsOf(whole.set);
  const template = compiledTemplates(documents);
  const { templates } = documents;
  const all = [
    ...KINDS.flatMap((kind) => documentErrors(documents[kind])),
    ...accountErrors(documents),
    ...documents.silences.names
      .filter((name) => name.startsWith(BY_HAND))
      .map((name) =>
        fieldError(
          `silences.${name}`,
          'reserved',
          `the name must not begin with \`${BY_HAND}\`, as the ids of silences added by hand do`,
        ),
      ),
    ...templates.names.flatMap((name) => template(name).errors),
    ...gatewayErrors(documents),
    ...whole.errors,
  ];
  const warnings = [...whole.warnings];
  for (const [name, { quiet }] of rightOnes(documents.recipients))
    if (quiet !== undefined && quiet.timezone === undefined)
      warnings.push(fieldError(`recipients.${name}.quiet`, 'time-zone', WITHOUT_ZONE));
  for (const name of documents.providers.names)
    if (findProvider(name) !== undefined)
      warnings.push(fieldError(`providers.${name}`, 'hides', HIDES_SHIPPED));
  const silences = compileSilences(documents.silences, (path, ...fault) =>
    all.push(fieldError(path, ...fault)),
  );
  warnings.push(...silenceWarnings(documents.silences, silences, now));
  if (now !== null) warnings.push(...numberDoubts(documents));
  const sources = new Map<string, Source>();
  const accounts = accountPolicies(documents);
  for (const [name, { escape }] of accounts)
    if (escape !== null) all.push(...escapeErrors(name, escape, accounts));
  for (const [name, { canary, escape, gateway }] of accounts) {
    const rule = receiverRule(gateway);
    if (canary !== null && !takes(rule, canary.to))
      all.push(fieldError(`accounts.${name}.canary.to`, 'receiver', `must be ${rule.what}`));
    const { via = { to: null } } = escape ?? {};
    const ones = { 'canary.to': canary?.to, 'escape.via.to': 'to' in via ? via.to : null };
    for (const [key, to] of Object.entries(ones))
      if (typeof to === 'string' && documents.recipients.has(to))
        all.push(fieldError(`accounts.${name}.${key}`, ...isAList(to)));
  }
  const parts = {
    documents,
    overrides,
    gatewayOf: (name: string) => accounts.get(name)?.gateway ?? V2,
    template: (name: string) => template(name).send,
  };
  for (const [id, document] of rightOnes(documents.sources)) {
    const compiled = compileSource(id, document, parts);
    all.push(...compiled.errors);
    warnings.push(...compiled.warnings);
    const { source } = compiled;
    if (source === null) continue;
    sources.set(id, source);
    all.push(...statusErrors(source, accounts));
  }
  warnings.push(...circleWarnings(sources), ...nearListWarnings(documents, parts.gatewayOf));
  const config = {
    version,
    activation: version,
    sources,
    outlines: sources,
    accounts,
    silences,
    suppressions: '',
    publicUrl: null,
    alerting: '',
  };
  return { config, built: whole.set, errors: all, warnings };
}

const documentErrors = ({ names, errors }: Documents<unknown>): readonly FieldError[] =>
  names.flatMap((name) => errors(name));

interface CompiledTemplate {
  readonly send: Send | null;
  readonly errors: readonly FieldError[];
}

/** The templates of a set, each parsed when it is first used. */
export const compiledTemplates = ({
  templates,
}: Pick<SetDocuments, 'templates'>): ((name: string) => CompiledTemplate) =>
  memoized((name) => {
    const document = templates.get(name);
    if (document === undefined) return { send: null, errors: [] };
    const errors: FieldError[] = [];
    const send = compileTemplate(document, (path, ...fault) =>
      errors.push(fieldError(`templates.${name}${path}`, ...fault)),
    );
    return { send, errors };
  });

/** The policies by account name. `default` is always among them, with or without a document. */
export const accountPolicies = ({ accounts }: Pick<SetDocuments, 'accounts'>): Accounts =>
  new Map([
    [DEFAULT_ACCOUNT_NAME, DEFAULT_ACCOUNT],
    ...rightOnes(accounts).map(([name, document]) => [name, accountPolicy(document)] as const),
  ]);

function gatewayErrors({ accounts }: SetDocuments): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const [name, document] of rightOnes(accounts)) {
    const report: Report = (path, ...fault) => errors.push(fieldError(`accounts.${name}${path}`, ...fault));
    checkGateway(document, report);
    checkSecretEnds(name, gatewaySpec(document), report);
  }
  return errors;
}

/** Reports accounts without a document (only `default` needs none), and accounts that would share their secrets. */
function accountErrors({ sources, templates, accounts }: SetDocuments): FieldError[] {
  const known = new Set([DEFAULT_ACCOUNT_NAME, ...accounts.names]);
  const errors: FieldError[] = [];
  const check = (path: string, account: string | undefined): void => {
    if (account === undefined || known.has(account)) return;
    const more = ' (each but `default` needs a document under accounts)';
    errors.push(fieldError(path, ...noSuch('account', account, [...known], more)));
  };
  const checkFallbacks = (path: string, template: TemplateDocument | string | undefined): void => {
    if (typeof template === 'object')
      template.fallback?.forEach(({ account }, at) => check(`${path}.fallback[${at}].account`, account));
  };
  for (const [id, { account, routes = [] }] of rightOnes(sources)) {
    check(`sources.${id}.account`, account);
    for (const [at, { send, digest }] of routes.entries()) {
      checkFallbacks(`sources.${id}.routes[${at}].send`, send);
      checkFallbacks(`sources.${id}.routes[${at}].digest`, digest);
    }
  }
  for (const [name, template] of rightOnes(templates)) checkFallbacks(`templates.${name}`, template);
  for (const [name, { escape }] of rightOnes(accounts))
    check(`accounts.${name}.escape.via.account`, escape?.via.account);
  const bySecret = new Map<string, string>();
  for (const name of known) {
    const { email } = credentialNames(name);
    const other = bySecret.get(email);
    if (other !== undefined)
      errors.push(
        fieldError(
          `accounts.${name}`,
          'duplicate',
          `would read the same secrets as the account \`${other}\`: give it another name`,
        ),
      );
    bySecret.set(email, name);
  }
  return errors;
}

type Accounts = ReadonlyMap<string, AccountPolicy>;

/** The reasons why an account cannot be the escape channel of `name`. */
function escapeErrors(name: string, { via }: EscapePolicy, accounts: Accounts): readonly FieldError[] {
  if (!('account' in via)) return [];
  const { account, to } = via;
  const error = (key: string, ...fault: Fault): readonly FieldError[] => [
    fieldError(`accounts.${name}.escape.via.${key}`, ...fault),
  ];
  if (account === name) return error('account', 'conflict', 'must be another account');
  const [own, other] = [accounts.get(name)?.gateway, accounts.get(account)?.gateway];
  // An unknown account is reported where accounts are looked up.
  if (own === undefined || other === undefined) return [];
  const rule = receiverRule(other);
  if (to !== null) return takes(rule, to) ? [] : error('to', 'receiver', `must be ${rule.what}`);
  const [here, there] = [own, other].map((spec) => JSON.stringify(shapeOf(spec)?.receiver ?? 'phone'));
  const message = `is required: ${gatewayName(other)} cannot send to the receivers of this account`;
  return here === there ? [] : error('to', 'required', message);
}

/** A status has no receiver: if urgent ones may go to another account, `escape.via.to` has to name one. */
function statusErrors({ id, account, routes }: Source, accounts: Accounts): readonly FieldError[] {
  const via = accounts.get(account)?.escape?.via;
  const urgent = routes.find(({ send, delivery }) => send.kind === 'status' && delivery.priority === 'high');
  if (via === undefined || !('account' in via) || via.to !== null || urgent === undefined) return [];
  const message = `is required: route \`${urgent.name}\` of source \`${id}\` sends a status of \`priority: high\`, which has no receiver`;
  return [fieldError(`accounts.${account}.escape.via.to`, 'required', message)];
}

/** The maximum number of warnings for one list. Somebody who pasted the wrong column sees that from a few. */
const MAX_SHOWN = 10;

/** Warns of numbers in documents that no phone can have, by the numbering plans. Without the plans, warns of none. */
function numberDoubts({ recipients, sources }: SetDocuments): readonly FieldError[] {
  if (knownPlans() === null) return [];
  const ofLists = rightOnes(recipients).flatMap(([name, { numbers = [], people = {} }]) =>
    bounded(`recipients.${name}`, [
      ...numbers.map((digits, at) => [`recipients.${name}.numbers[${at}]`, digits] as const),
      ...Object.entries(people).flatMap(([who, person]) => {
        const phone = typeof person === 'string' ? person : person.phone;
        return phone === undefined ? [] : [[`recipients.${name}.people.${who}`, phone] as const];
      }),
    ]),
  );
  const doubtsIn = (path: string, to: string | readonly string[]): readonly FieldError[] => {
    const entries = [to]
      .flat()
      .map((entry, at) => [typeof to === 'string' ? path : `${path}[${at}]`, entry] as const);
    const numbers = entries.flatMap(([place, entry]) => {
      const number = recipients.has(entry) ? null : readDocumentNumber(entry);
      return number?.ok === true ? [[place, number.value] as const] : [];
    });
    return bounded(path, numbers);
  };
  const ofRoutes = rightOnes(sources).flatMap(([id, { routes = [] }]) =>
    routes.flatMap(({ to = [], escalate = [] }, route) => {
      const path = `sources.${id}.routes[${route}]`;
      const steps = escalate.flatMap((step, at) => doubtsIn(`${path}.escalate[${at}].to`, step.to));
      return [...doubtsIn(`${path}.to`, to), ...steps];
    }),
  );
  return [...ofLists, ...ofRoutes];
}

function bounded(path: string, numbers: readonly (readonly [string, string])[]): readonly FieldError[] {
  const found = numbers.flatMap(([place, digits]) => {
    const message = doubtOf(digits);
    return message === null ? [] : [fieldError(place, 'number', message)];
  });
  return firstOf(path, found, MAX_SHOWN, 'such numbers');
}

function doubtOf(digits: string): string | null {
  const shown = glimpse(`+${digits}`);
  const number = readNumber(digits);
  if (number === undefined) return `${shown} does not begin with a country code: check it`;
  const code = `+${number.countryCallingCode}`;
  if (number.isValid())
    return number.number === `+${digits}`
      ? null
      : `${shown} has a 0 after ${code} that is not dialled from abroad: leave it out`;
  return `${shown} is not a valid number: the digits after ${code}, or how many there are, cannot be right`;
}

/** A version is one row of the registry, and a SQLite row in a Durable Object has at most 2 MB. */
export const MAX_SET_BYTES = 1_500_000;

/** A set as it is compiled and stored: with what hookbell ships, so that another release changes no version. */
interface Built {
  /** The same object as the one that was written, if nothing differs. */
  readonly set: ConfigSet;
  readonly errors: readonly FieldError[];
  readonly warnings: readonly FieldError[];
}

type Tree = Readonly<Record<string, unknown>>;

/** Puts in what the texts of a set name and hookbell ships. Checks nothing else: what is wrong stays as it is. */
export function built(set: ConfigSet): Built {
  const texts = new Texts();
  const sources = mapped(set.sources, (id, source) => ofSource(source, `sources.${id}`, texts));
  const templates = mapped(set.templates, (name, template) => ofTemplate(template, name, texts));
  const { errors, warnings, added } = texts;
  const hasProviders = Object.keys(set.providers).length > 0;
  const isSame = added === 0 && errors.length === 0 && !hasProviders;
  const providers = mapped(set.providers, (_, file) => factsOf(file));
  return { set: isSame ? set : { ...set, sources, templates, providers }, errors, warnings };
}

/** What the trip of a webhook needs of a provider's file: neither its samples nor what people read. */
const factsOf = (file: unknown): unknown =>
  isObject(file)
    ? Object.fromEntries(Object.entries(file).filter(([key]) => Object.hasOwn(factsKeys, key)))
    : file;

class Texts {
  readonly errors: FieldError[] = [];
  readonly warnings: FieldError[] = [];
  /** Where routes use a template, by its name. */
  readonly uses = new Map<string, TextPlace[]>();
  added = 0;

  note(template: unknown, place: TextPlace): void {
    if (typeof template === 'string') this.uses.set(template, [...(this.uses.get(template) ?? []), place]);
  }

  /** Returns what a wrong text may be compiled as, so that nothing else is said of it. */
  put(path: string, text: string, place: TextPlace): string {
    const put = withPartials(text, place);
    if (put.ok && put.value === text) return text;
    const message = put.ok ? this.#tooLong(put.value) : put.error;
    if (message !== null) this.errors.push(fieldError(path, 'malformed', message));
    return put.ok && message === null ? put.value : '-';
  }

  #tooLong({ length }: string): string | null {
    this.added += length;
    if (length > MAX_PARAM_LENGTH)
      return `has ${length} characters with its partials, and may have ${MAX_PARAM_LENGTH}: use fewer`;
    return this.added > MAX_SET_BYTES ? 'the texts with partials are too long together: use fewer' : null;
  }
}

function ofSource(source: unknown, path: string, texts: Texts): unknown {
  if (!isObject(source) || !Array.isArray(source['routes'])) return source;
  const { locale } = source;
  const isFixed = typeof locale === 'string' && !isExpression(locale);
  const language = isFixed ? languageOf(locale) : FIRST_LANGUAGE;
  return {
    ...source,
    routes: source['routes'].map((route: unknown, at) =>
      isObject(route) ? ofRoute(route, `${path}.routes[${at}]`, language, texts) : route,
    ),
  };
}

function ofRoute(route: Tree, path: string, language: string, texts: Texts): Tree {
  const { template, send, digest } = route;
  const place = { language, grouped: Object.hasOwn(route, 'group') };
  const inDigest = { language, grouped: true };
  const byTag = isObject(template) ? template : { default: template };
  for (const [tag, name] of Object.entries(byTag))
    texts.note(name, tag === 'default' ? place : { ...place, language: languageOf(tag) });
  texts.note(digest, inDigest);
  return {
    ...route,
    ...(isObject(send) && { send: ofMessage(send, `${path}.send`, place, texts) }),
    ...(isObject(digest) && { digest: ofMessage(digest, `${path}.digest`, inDigest, texts) }),
  };
}

function ofTemplate(template: unknown, name: string, texts: Texts): unknown {
  if (!isObject(template)) return template;
  const path = `templates.${name}`;
  const uses = texts.uses.get(name) ?? [];
  const languages = [...new Set(uses.map(({ language }) => language))];
  const [language = FIRST_LANGUAGE] = languages.length === 1 ? languages : [];
  const { added } = texts;
  const put = ofMessage(template, path, { language, grouped: uses.every(({ grouped }) => grouped) }, texts);
  if (languages.length > 1 && texts.added > added)
    texts.warnings.push(
      fieldError(
        path,
        'misplaced',
        `its partials are in English, since sources in ${languages.join(' and ')} use it: write one template for each language, with \`lang: "${languages.at(-1)}"\` in {% render %}`,
      ),
    );
  return put;
}

/** Partials are whole texts: lines, addresses and options have none. */
function ofMessage(message: Tree, path: string, place: TextPlace, texts: Texts): Tree {
  const { kind } = message;
  const params = typeof kind === 'string' && isMessageKind(kind) ? MESSAGE_KINDS[kind].params : {};
  return mapped(message, (key, value) => {
    if (key === 'fallback' && Array.isArray(value))
      return value.map((one: unknown, at) =>
        isObject(one) ? ofMessage(one, `${path}.fallback[${at}]`, place, texts) : one,
      );
    const holds = Object.hasOwn(params, key) ? params[key]?.holds : undefined;
    return holds === 'text' && typeof value === 'string' ? texts.put(`${path}.${key}`, value, place) : value;
  });
}

const mapped = (tree: Tree, change: (key: string, value: unknown) => unknown): Tree =>
  Object.fromEntries(Object.entries(tree).map(([key, value]) => [key, change(key, value)]));
