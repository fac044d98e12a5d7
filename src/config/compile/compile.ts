import { takes } from '../../gateway/call.ts';
import { V2 } from '../../gateway/shape.ts';
import { memoized } from '../../lib/cache.ts';
import { type FieldError, fieldError } from '../../lib/problem.ts';
import { findProvider } from '../../provider/known.ts';
import { accountPolicy, DEFAULT_ACCOUNT } from './account-policy.ts';
import { documentsOf, rightOnes, type Documents, type SetDocuments } from '../documents/check.ts';
import { built } from './built.ts';
import { compileSource } from './source.ts';
import { checkGateway, gatewaySpec, receiverRule } from '../compiled/gateway-spec.ts';
import { nearListWarnings } from './receivers.ts';
import { compileTemplate } from './route.ts';
import { BY_HAND, compileSilences, silenceWarnings } from './silences.ts';
import { WITHOUT_ZONE } from '../compiled/hours.ts';
import { escapeErrors, statusErrors } from '../compiled/escape.ts';
import { circleWarnings } from './inhibitors.ts';
import type { Report } from '../documents/issues.ts';
import { KINDS } from '../documents/name.ts';
import type { ListedOverride } from '../compiled/overrides.ts';
import { numberDoubts } from './number-warnings.ts';
import type { AccountPolicy, Config, Source } from '../compiled/config.ts';
import type { Send } from '../compiled/send.ts';
import { credentialNames, DEFAULT_ACCOUNT_NAME } from '../secrets/credential-names.ts';
import type { ConfigSet, TemplateDocument } from '../documents/schema.ts';
import { checkSecretEnds } from '../secrets/hosts.ts';
import { isAList, noSuch } from '../documents/unknown-name.ts';

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

/**
 * Checks a whole set, document by document and across documents, and parses every template and condition in it. `now`
 * (ms) enables warnings about things that are over, and about numbers that no phone has; null for no such warnings.
 * `overrides`: those by hand.
 */
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
    if (escape !== null) all.push(...escapeErrors(name, escape, (other) => accounts.get(other)?.gateway));
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
    all.push(...statusErrors(source, (account) => accounts.get(account)?.escape));
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

/** A compiled template. `send` is null if there is no template with that name, or it has errors. */
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
export const accountPolicies = ({
  accounts,
}: Pick<SetDocuments, 'accounts'>): ReadonlyMap<string, AccountPolicy> =>
  new Map([
    [DEFAULT_ACCOUNT_NAME, DEFAULT_ACCOUNT],
    ...rightOnes(accounts).map(([name, document]) => [name, accountPolicy(document)] as const),
  ]);

/** Reports conflicts in the gateway settings of accounts. */
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
