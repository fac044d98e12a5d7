import { type GatewaySpec, V2 } from '../../gateway/shape.ts';
import { memoized } from '../../lib/cache.ts';
import { type FieldError, fieldError } from '../../lib/problem.ts';
import { findProvider, factsKeys } from '../../provider/provider.ts';
import { accountPolicy, DEFAULT_ACCOUNT } from '../compiled/account-policy.ts';
import { documentsOf, rightOnes, type SetDocuments } from '../documents/check.ts';
import { compileSource } from './source.ts';
import { checkGateway, gatewayName, gatewaySpec, receiverRule, shapeOf } from '../compiled/gateway-spec.ts';
import { nearListWarnings, receiversInRoutes } from './receivers.ts';
import { compileTemplate } from './route.ts';
import { BY_HAND, compileSilences, unknownIn } from '../compiled/silences.ts';
import { WITHOUT_ZONE } from '../compiled/hours.ts';
import { circleWarnings } from './alerting.ts';
import { firstOf, type Report } from '../documents/issues.ts';
import { KINDS } from '../documents/name.ts';
import type { ListedOverride } from '../compiled/rotation.ts';
import type { AccountPolicy, Config, Source } from '../compiled/config.ts';
import { credentialNames, DEFAULT_ACCOUNT_NAME } from '../secrets/credential-names.ts';
import type { ConfigSet, TemplateDocument } from '../documents/schema.ts';
import { checkSecretEnds } from '../secrets/gateway.ts';
import { isAList, noSuch } from '../documents/unknown-name.ts';
import { readDocumentNumber } from '../../phone/dialled.ts';
import { plans, readNumber } from '../../phone/read.ts';
import { glimpse } from '../../template/basics/print.ts';
import { isMessageKind, MAX_PARAM_LENGTH, MESSAGE_KINDS, takes } from '../../gateway/kinds.ts';
import { isExpression } from '../../template/basics/locale.ts';
import { withPartials, type TextPlace } from '../../template/partials.ts';
import { FIRST_LANGUAGE, languageOf } from '../documents/starter-texts.ts';
import { isObject } from '../../lib/json.ts';

const SAYS = {
  hidesShipped:
    'has the name of a provider that hookbell ships: sources of this configuration use this file in its place. Give it another name if you want both',
  byHand: `the name must not begin with \`${BY_HAND}\`, as the ids of silences added by hand do`,
};

/**
 * Checks a set as a whole. `now` (ms): also warns of what is over, and of numbers that no phone has. `overrides`: by
 * hand. If there are errors, `config` lacks the parts that have them.
 */
export function compileConfig(
  set: ConfigSet,
  version: number,
  now: number | null = null,
  overrides: readonly ListedOverride[] = [],
) {
  const whole = built(set);
  const documents = documentsOf(whole.set);
  const template = compiledTemplates(documents);
  const errors: FieldError[] = [];
  const warnings = [...whole.warnings];
  const report: Report = (path, ...fault) => errors.push(fieldError(path, ...fault));
  const warn: Report = (path, ...fault) => warnings.push(fieldError(path, ...fault));
  for (const kind of KINDS) errors.push(...documents[kind].names.flatMap(documents[kind].errors));
  checkAccounts(documents, report);
  for (const name of documents.silences.names)
    if (name.startsWith(BY_HAND)) report(`silences.${name}`, 'reserved', SAYS.byHand);
  errors.push(...documents.templates.names.flatMap((name) => template(name).errors));
  for (const [name, document] of rightOnes(documents.accounts)) {
    const here: Report = (path, ...fault) => report(`accounts.${name}${path}`, ...fault);
    checkGateway(document, here);
    checkSecretEnds(name, gatewaySpec(document), here);
  }
  errors.push(...whole.errors);
  for (const [name, { quiet }] of rightOnes(documents.recipients))
    if (quiet !== undefined && quiet.timezone === undefined)
      warn(`recipients.${name}.quiet`, 'time-zone', WITHOUT_ZONE);
  for (const name of documents.providers.names)
    if (findProvider(name) !== undefined) warn(`providers.${name}`, 'hides', SAYS.hidesShipped);
  const silences = compileSilences(documents.silences, { report, warn }, now);
  if (now !== null) warnings.push(...numberDoubts(documents));
  const sources = new Map<string, Source>();
  const accounts = accountPolicies(documents);
  for (const name of accounts.keys()) checkOwnReceivers(name, accounts, documents, report);
  const parts = {
    documents,
    overrides,
    gatewayOf: (name: string) => accounts.get(name)?.gateway ?? V2,
    template: (name: string) => template(name).send,
  };
  for (const [id, document] of rightOnes(documents.sources)) {
    const compiled = compileSource(id, document, parts);
    errors.push(...compiled.errors);
    warnings.push(...compiled.warnings);
    if (compiled.source === null) continue;
    sources.set(id, compiled.source);
    checkStatus(compiled.source, accounts, report);
  }
  for (const { id, of } of errors.length > 0 ? [] : silences) {
    const unknown = of === null ? null : unknownIn(of, sources);
    if (unknown !== null) warn(`silences.${id}.of`, ...unknown);
  }
  warnings.push(...circleWarnings(sources), ...nearListWarnings(documents, parts.gatewayOf));
  const unpublished = { activation: version, suppressions: '', publicUrl: null, alerting: '' };
  const config: Config = { version, sources, outlines: sources, accounts, silences, ...unpublished };
  return { config, built: whole.set, errors, warnings };
}

/** The templates of a set, each parsed when it is first used. */
export const compiledTemplates = ({ templates }: Pick<SetDocuments, 'templates'>) =>
  memoized((name) => {
    const errors: FieldError[] = [];
    const report: Report = (path, ...fault) => errors.push(fieldError(`templates.${name}${path}`, ...fault));
    const document = templates.get(name);
    return { send: document === undefined ? null : compileTemplate(document, report), errors };
  });

/** The policies by account name. `default` is always among them, with or without a document. */
export const accountPolicies = ({ accounts }: Pick<SetDocuments, 'accounts'>): Accounts =>
  new Map([
    [DEFAULT_ACCOUNT_NAME, DEFAULT_ACCOUNT],
    ...rightOnes(accounts).map(([name, document]) => [name, accountPolicy(document)] as const),
  ]);

/** Reports accounts without a document (only `default` needs none), and accounts that would share their secrets. */
function checkAccounts({ sources, templates, accounts }: SetDocuments, report: Report): void {
  const known = new Set([DEFAULT_ACCOUNT_NAME, ...accounts.names]);
  const check = (path: string, account: string | undefined): void => {
    if (account === undefined || known.has(account)) return;
    const more = ' (each but `default` needs a document under accounts)';
    report(path, ...noSuch('account', account, [...known], more));
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
    const shared = `would read the same secrets as the account \`${other}\`: give it another name`;
    if (other !== undefined) report(`accounts.${name}`, 'duplicate', shared);
    bySecret.set(email, name);
  }
}

type Accounts = ReadonlyMap<string, AccountPolicy>;

/** Reports receivers that an account's canary or escape channel cannot have, and what cannot be that channel. */
function checkOwnReceivers(
  name: string,
  accounts: Accounts,
  { recipients }: SetDocuments,
  report: Report,
): void {
  const { canary = null, escape = null, gateway = V2 } = accounts.get(name) ?? {};
  const path = `accounts.${name}`;
  const check = (key: string, to: string, spec: GatewaySpec | undefined): void => {
    const rule = spec && receiverRule(spec);
    if (rule && !takes(rule, to)) report(`${path}.${key}`, 'receiver', `must be ${rule.what}`);
    if (recipients.has(to)) report(`${path}.${key}`, ...isAList(to));
  };
  if (canary !== null) check('canary.to', canary.to, gateway);
  if (escape === null || !('account' in escape.via)) return;
  const { account, to } = escape.via;
  if (account === name) report(`${path}.escape.via.account`, 'conflict', 'must be another account');
  // An unknown account is reported where accounts are looked up.
  const other = account === name ? undefined : accounts.get(account)?.gateway;
  if (to !== null) return check('escape.via.to', to, other);
  if (other === undefined) return;
  const [here, there] = [gateway, other].map((spec) => JSON.stringify(shapeOf(spec)?.receiver ?? 'phone'));
  const needed = `is required: ${gatewayName(other)} cannot send to the receivers of this account`;
  if (here !== there) report(`${path}.escape.via.to`, 'required', needed);
}

/** A status has no receiver: if urgent ones may go to another account, `escape.via.to` has to name one. */
function checkStatus({ id, account, routes }: Source, accounts: Accounts, report: Report): void {
  const via = accounts.get(account)?.escape?.via;
  const urgent = routes.find(({ send, delivery }) => send.kind === 'status' && delivery.priority === 'high');
  if (via === undefined || !('account' in via) || via.to !== null || urgent === undefined) return;
  const needed = `is required: route \`${urgent.name}\` of source \`${id}\` sends a status of \`priority: high\`, which has no receiver`;
  report(`accounts.${account}.escape.via.to`, 'required', needed);
}

/** The maximum number of warnings for one list. Somebody who pasted the wrong column sees that from a few. */
const MAX_SHOWN = 10;

/** Warns of numbers in documents that no phone can have, by the numbering plans. Without the plans, warns of none. */
function numberDoubts({ recipients, sources }: SetDocuments): readonly FieldError[] {
  if (plans.known === null) return [];
  const ofLists = rightOnes(recipients).map(([name, { numbers = [], people = {} }]) => {
    const ofPeople = Object.entries(people).map(([who, person]) => {
      return [`.people.${who}`, typeof person === 'string' ? person : person.phone] as const;
    });
    const inList = numbers.map((digits, at) => [`.numbers[${at}]`, digits] as const);
    return { path: `recipients.${name}`, numbers: [...inList, ...ofPeople] };
  });
  const ofRoutes = receiversInRoutes(sources).map(({ path, to }) => ({
    path,
    numbers: [to].flat().map((entry, at) => {
      const number = recipients.has(entry) ? null : readDocumentNumber(entry);
      return [to === entry ? '' : `[${at}]`, number?.ok ? number.value : undefined] as const;
    }),
  }));
  return [...ofLists, ...ofRoutes].flatMap(({ path, numbers }) => {
    const doubts = numbers.flatMap(([place, digits]) => {
      const message = digits === undefined ? null : doubtOf(digits);
      return message === null ? [] : [fieldError(path + place, 'number', message)];
    });
    return firstOf(path, doubts, MAX_SHOWN, 'such numbers');
  });
}

function doubtOf(digits: string): string | null {
  const shown = glimpse(`+${digits}`);
  const number = readNumber(digits);
  if (number === undefined) return `${shown} does not begin with a country code: check it`;
  const code = `+${number.countryCallingCode}`;
  if (!number.isValid())
    return `${shown} is not a valid number: the digits after ${code}, or how many there are, cannot be right`;
  return number.number === `+${digits}`
    ? null
    : `${shown} has a 0 after ${code} that is not dialled from abroad: leave it out`;
}

/** A version is one row of the registry, and a SQLite row in a Durable Object has at most 2 MB. */
export const MAX_SET_BYTES = 1_500_000;

type Tree = Readonly<Record<string, unknown>>;

/**
 * A set as it is compiled and stored: with what its texts name and hookbell ships, so that another release changes no
 * version. Checks nothing else: what is wrong stays as it is. `set` is the same object if nothing differs.
 */
export function built(set: ConfigSet) {
  const errors: FieldError[] = [];
  const warnings: FieldError[] = [];
  /** Where routes use a template, by its name. */
  const uses = new Map<string, TextPlace[]>();
  let added = 0;

  const note = (template: unknown, place: TextPlace): void => {
    if (typeof template === 'string') uses.set(template, [...(uses.get(template) ?? []), place]);
  };

  const tooLong = (length: number): string | null => {
    added += length;
    if (length > MAX_PARAM_LENGTH)
      return `has ${length} characters with its partials, and may have ${MAX_PARAM_LENGTH}: use fewer`;
    return added > MAX_SET_BYTES ? 'the texts with partials are too long together: use fewer' : null;
  };

  /** Returns what a wrong text may be compiled as, so that nothing else is said of it. */
  const put = (path: string, text: string, place: TextPlace): string => {
    const whole = withPartials(text, place);
    if (whole.ok && whole.value === text) return text;
    const message = whole.ok ? tooLong(whole.value.length) : whole.error;
    if (message !== null) errors.push(fieldError(path, 'malformed', message));
    return whole.ok && message === null ? whole.value : '-';
  };

  /** Partials are whole texts: lines, addresses and options have none. */
  const ofMessage = (message: Tree, path: string, place: TextPlace): Tree => {
    const { kind } = message;
    const params = typeof kind === 'string' && isMessageKind(kind) ? MESSAGE_KINDS[kind].params : {};
    return mapped(message, (key, value) => {
      if (key === 'fallback' && Array.isArray(value))
        return value.map((one: unknown, at) =>
          isObject(one) ? ofMessage(one, `${path}.fallback[${at}]`, place) : one,
        );
      const holds = Object.hasOwn(params, key) ? params[key]?.holds : undefined;
      return holds === 'text' && typeof value === 'string' ? put(`${path}.${key}`, value, place) : value;
    });
  };

  const ofRoute = (route: Tree, path: string, language: string): Tree => {
    const { template, send, digest } = route;
    const place = { language, grouped: Object.hasOwn(route, 'group') };
    const inDigest = { language, grouped: true };
    for (const [tag, name] of Object.entries(isObject(template) ? template : { default: template }))
      note(name, tag === 'default' ? place : { ...place, language: languageOf(tag) });
    note(digest, inDigest);
    return {
      ...route,
      ...(isObject(send) && { send: ofMessage(send, `${path}.send`, place) }),
      ...(isObject(digest) && { digest: ofMessage(digest, `${path}.digest`, inDigest) }),
    };
  };

  const sources = mapped(set.sources, (id, source) => {
    if (!isObject(source) || !Array.isArray(source['routes'])) return source;
    const { locale } = source;
    const isFixed = typeof locale === 'string' && !isExpression(locale);
    const language = isFixed ? languageOf(locale) : FIRST_LANGUAGE;
    const routes = source['routes'].map((route: unknown, at) =>
      isObject(route) ? ofRoute(route, `sources.${id}.routes[${at}]`, language) : route,
    );
    return { ...source, routes };
  });
  const templates = mapped(set.templates, (name, template) => {
    if (!isObject(template)) return template;
    const places = uses.get(name) ?? [];
    const languages = [...new Set(places.map(({ language }) => language))];
    const [language = FIRST_LANGUAGE] = languages.length === 1 ? languages : [];
    const before = added;
    const path = `templates.${name}`;
    const whole = ofMessage(template, path, { language, grouped: places.every(({ grouped }) => grouped) });
    const english = `its partials are in English, since sources in ${languages.join(' and ')} use it: write one template for each language, with \`lang: "${languages.at(-1)}"\` in {% render %}`;
    if (languages.length > 1 && added > before) warnings.push(fieldError(path, 'misplaced', english));
    return whole;
  });
  // What the trip of a webhook needs of a file: neither its samples nor what people read.
  const providers = mapped(set.providers, (_, file) =>
    isObject(file)
      ? Object.fromEntries(Object.entries(file).filter(([key]) => Object.hasOwn(factsKeys, key)))
      : file,
  );
  const isSame = added === 0 && errors.length === 0 && Object.keys(set.providers).length === 0;
  return { set: isSame ? set : { ...set, sources, templates, providers }, errors, warnings };
}

const mapped = (tree: Tree, change: (key: string, value: unknown) => unknown): Tree =>
  Object.fromEntries(Object.entries(tree).map(([key, value]) => [key, change(key, value)]));
