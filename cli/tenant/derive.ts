import '../facts.ts';
import { spawnSync } from 'node:child_process';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { MIN_NEW_TOKEN_LENGTH, TOKENS } from '../../src/admin/auth/tokens.ts';
import { compileConfig } from '../../src/config/compile/compile.ts';
import type { ConfigSet } from '../../src/config/documents/schema.ts';
import { namedSecrets } from '../../src/config/secrets/named-secrets.ts';
import { asObject, isObject, ownValue } from '../../src/lib/json.ts';
import { err, ok, type Result } from '../../src/lib/result.ts';
import { ROOT } from '../built.ts';
import { failed, type CommandResult } from '../failure.ts';
import { count } from '../text.ts';
import type { Settings } from './settings.ts';
import { readSecrets, type Tenant } from './store.ts';
import type { JsonObject } from './wrangler.ts';

/** The root's name, address, account and variables. A tenant has its own, or none. */
const LEFT_OUT = new Set([
  '$schema',
  'name',
  'vars',
  'routes',
  'route',
  'account_id',
  'env',
  'secrets',
  'workers_dev',
  'triggers',
  'dev',
]);

/** Keys that all tenants share, since they have no data. Paths become relative to the derived file's folder. */
const SHARED = new Set([
  'main',
  'compatibility_date',
  'compatibility_flags',
  'preview_urls',
  'no_bundle',
  'build',
  'upload_source_maps',
  'assets',
  'migrations',
  'observability',
  'limits',
  'placement',
  'logpush',
  'rules',
  'version_metadata',
  'send_metrics',
]);

/** Bindings whose data belongs to one Worker, or is made for it. */
const OWN = new Set(['kv_namespaces', 'durable_objects']);

interface DeriveOptions {
  readonly worker: string;
  readonly settings: Settings;
  /** Names of secrets: without them a deploy must fail. */
  readonly secrets: readonly string[];
  /** Converts a path of the root configuration to one of the derived configuration. */
  readonly path: (path: string) => string;
}

/**
 * The configuration of one tenant's Worker: the root's code and objects under the tenant's own name, namespace,
 * variables and address. Anything else in the root would be shared by all tenants, so it is refused by name: for a new
 * kind of binding, somebody has to decide here what a tenant gets.
 */
export function derive(
  root: JsonObject,
  { worker, settings, secrets, path }: DeriveOptions,
): Result<JsonObject, string> {
  const unknown = Object.keys(root).find((key) => !LEFT_OUT.has(key) && !SHARED.has(key) && !OWN.has(key));
  if (unknown !== undefined)
    return err(
      `wrangler.toml has \`${unknown}\`, which tenants would share; remove it, or say in cli/tenant/derive.ts what a tenant gets`,
    );
  const bindings = objectsIn(root, 'durable_objects.bindings');
  // With a `script_name` they would be another Worker's.
  if (bindings.some((one) => Object.keys(one).some((key) => key !== 'name' && key !== 'class_name')))
    return err(
      'an object binding of wrangler.toml has more than `name` and `class_name`: tenants would share another Worker’s objects',
    );
  const namespaces = objectsIn(root, 'kv_namespaces').map(({ binding }) => binding);
  if (namespaces.length !== 1 || namespaces[0] !== 'CONFIG')
    return err('wrangler.toml must have one KV namespace, CONFIG');
  const { account_id, kv_namespace_id, domain, vars = {}, gateway_base_url } = settings;
  const { main, assets } = root;
  const directory = ownValue(assets, 'directory');
  return ok({
    name: worker,
    ...Object.fromEntries(Object.entries(root).filter(([key]) => SHARED.has(key))),
    ...(typeof main === 'string' && { main: path(main) }),
    ...(typeof directory === 'string' && { assets: { ...asObject(assets), directory: path(directory) } }),
    workers_dev: settings.workers_dev ?? domain === undefined,
    ...(account_id !== undefined && { account_id }),
    ...(domain !== undefined && { routes: [{ pattern: domain, custom_domain: true }] }),
    vars: { ...vars, GATEWAY_BASE_URL: gateway_base_url },
    // Without an id, the first deploy makes a namespace named after the Worker, and later ones find it by the Worker.
    kv_namespaces: [{ binding: 'CONFIG', ...(kv_namespace_id !== undefined && { id: kv_namespace_id }) }],
    durable_objects: { bindings },
    secrets: { required: [...secrets].sort() },
  });
}

function objectsIn(root: JsonObject, path: string): readonly JsonObject[] {
  const list = ownValue(root, path);
  return Array.isArray(list) ? list.filter(isObject) : [];
}

/** Names that a secret must not have: it would replace the binding. */
const bindingNames = (root: JsonObject): readonly string[] =>
  [
    ...objectsIn(root, 'kv_namespaces').map(({ binding }) => binding),
    ...objectsIn(root, 'durable_objects.bindings').map(({ name }) => name),
    ownValue(root, 'assets.binding'),
    ...Object.keys(asObject(root['vars'])),
  ].filter((name) => typeof name === 'string');

/** The folder of derived configurations: not in git, and never edited by hand. */
const DERIVED = join('.wrangler', 'tenants');

/** The configuration that a tenant is deployed with. */
export const derivedFile = (name: string): string => join(DERIVED, `${name}.json`);

/** The secrets that a tenant must have: those that its documents name, and the token of its admin API. */
export function neededSecrets(set: ConfigSet): ReadonlyMap<string, readonly string[]> {
  const { config } = compileConfig(set, 0);
  return new Map([...namedSecrets(config), ['ADMIN_TOKEN', ['the admin API']]]);
}

/** The tenant's secrets, if all that are needed are there and none would replace a binding. */
export function checkSecrets(
  tenant: Tenant,
  needed: ReadonlyMap<string, readonly string[]>,
  root: JsonObject,
): CommandResult<ReadonlyMap<string, string>> {
  const { secrets: file } = tenant.paths;
  // Another status: this is not a git repository, or git is not installed.
  if (spawnSync('git', ['check-ignore', '--quiet', file], { stdio: 'ignore' }).status === 1)
    return failed(
      `${file} would be committed: git does not ignore it; add tenants/*/secrets.env to .gitignore`,
    );
  const secrets = readSecrets(tenant);
  if (!secrets.ok) return secrets;
  const missing = [...needed].filter(([name]) => !secrets.value.has(name));
  if (missing.length > 0)
    return failed(`${count(missing.length, 'secret')} missing in ${file}`, {
      details: missing.map(([name, usedBy]) => `${name}: for ${usedBy.join(', ')}`),
    });
  // A token that a relay already has may be shorter, and its `doctor` warns.
  const least = tenant.settings.url === undefined ? MIN_NEW_TOKEN_LENGTH : 0;
  const short = TOKENS.find(({ name }) => (secrets.value.get(name)?.length ?? Infinity) < least);
  if (short !== undefined)
    return failed(
      `${file}: ${short.name} is shorter than ${MIN_NEW_TOKEN_LENGTH} characters; make a random one: openssl rand -base64 32`,
    );
  const taken = [...bindingNames(root), ...Object.keys(tenant.settings.vars ?? {})].find((name) =>
    secrets.value.has(name),
  );
  return taken === undefined
    ? secrets
    : failed(
        `${file}: ${taken} is the name of a binding or variable, which the secret would replace; remove it`,
      );
}

export const isOpenToOthers = (file: string): boolean =>
  process.platform !== 'win32' && ((statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0;

/** Writes the configuration that the tenant is deployed with, each time again, and returns the file's path. */
export function writeDerived(
  tenant: Tenant,
  root: JsonObject,
  secrets: readonly string[],
): CommandResult<string> {
  const { name, worker, settings } = tenant;
  const file = derivedFile(name);
  const path = (given: string): string => relative(dirname(file), join(ROOT, given)).split(sep).join('/');
  const derived = derive(root, { worker, settings, secrets, path });
  if (!derived.ok) return failed(derived.error);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(derived.value, null, 2)}\n`);
  return ok(file);
}
