import type { FieldError } from '../lib/problem.ts';
import { accountPolicy, DEFAULT_ACCOUNT } from './account-policy.ts';
import { checkDocuments, type CheckedSet } from './check.ts';
import { compileSource } from './compile-source.ts';
import { compileTemplate } from './compile-route.ts';
import type { AccountPolicy, Config, Send, Source } from './config.ts';
import { credentialNames, DEFAULT_ACCOUNT_NAME } from './credentials.ts';
import type { ConfigSet } from './schema.ts';
import { unknownName } from './unknown-name.ts';

/** A set made ready, and all that is wrong or doubtful about it. With errors, `config` lacks what they are about. */
export interface Compiled {
  readonly config: Config;
  readonly errors: readonly FieldError[];
  readonly warnings: readonly FieldError[];
}

/** Checks a whole set, document by document and across them, and parses every template and condition in it. */
export function compileConfig(set: ConfigSet, version: number): Compiled {
  const { checked, errors } = checkDocuments(set);
  const all = [...errors, ...accountErrors(checked)];
  const warnings: FieldError[] = [];
  const sources = new Map<string, Source>();
  const templates = compileTemplates(checked, all);
  for (const [id, document] of checked.sources) {
    const compiled = compileSource(id, document, { checked, templates });
    all.push(...compiled.errors);
    warnings.push(...compiled.warnings);
    if (compiled.source !== null) sources.set(id, compiled.source);
  }
  return { config: { version, sources, accounts: accounts(checked) }, errors: all, warnings };
}

function compileTemplates(checked: CheckedSet, errors: FieldError[]): ReadonlyMap<string, Send> {
  const templates = new Map<string, Send>();
  for (const [name, document] of checked.templates) {
    const send = compileTemplate(document, (path, message) =>
      errors.push({ path: `templates.${name}${path}`, message }),
    );
    if (send !== null) templates.set(name, send);
  }
  return templates;
}

function accounts(checked: CheckedSet): ReadonlyMap<string, AccountPolicy> {
  const policies = new Map<string, AccountPolicy>([[DEFAULT_ACCOUNT_NAME, DEFAULT_ACCOUNT]]);
  for (const [name, document] of checked.accounts) policies.set(name, accountPolicy(document));
  return policies;
}

/** Every account that is used must be described (only `default` may be left out), and have secrets of its own. */
function accountErrors(checked: CheckedSet): FieldError[] {
  const known = new Set([DEFAULT_ACCOUNT_NAME, ...checked.accountNames]);
  const errors: FieldError[] = [];
  for (const [id, { account }] of checked.sources) {
    if (account === undefined || known.has(account)) continue;
    errors.push({
      path: `sources.${id}.account`,
      message: `${unknownName('account', account, [...known])} (each but \`default\` needs a document under accounts)`,
    });
  }
  for (const [name, document] of checked.accounts) {
    const { rate, shards } = accountPolicy(document);
    if (rate !== null && shards > Math.min(rate.burst, rate.perMinute)) {
      errors.push({
        path: `accounts.${name}.shards`,
        message:
          'must not be more than `rate.burst` and `rate.per_minute`: each object gets its share of the pace',
      });
    }
  }
  const bySecret = new Map<string, string>();
  for (const name of known) {
    const { email } = credentialNames(name);
    const other = bySecret.get(email);
    if (other !== undefined)
      errors.push({
        path: `accounts.${name}`,
        message: `would read the same secrets as the account \`${other}\`: give it another name`,
      });
    bySecret.set(email, name);
  }
  return errors;
}
