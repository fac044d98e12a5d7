import { err, ok, type Result } from '../../src/lib/result.ts';
import type { Settings } from './settings.ts';

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

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
  const objects = objectBindings(root['durable_objects']);
  if (!objects.ok) return objects;
  const { account_id, kv_namespace_id, domain, vars = {}, gateway_base_url } = settings;
  const namespaces = listOfObjects(root['kv_namespaces']).map(({ binding }) => binding);
  if (namespaces.length !== 1 || namespaces[0] !== 'CONFIG')
    return err('wrangler.toml must have one KV namespace, CONFIG');
  return ok({
    name: worker,
    ...Object.fromEntries(Object.entries(root).filter(([key]) => SHARED.has(key))),
    ...(typeof root['main'] === 'string' && { main: path(root['main']) }),
    ...(isObject(root['assets']) && { assets: withPath(root['assets'], 'directory', path) }),
    workers_dev: settings.workers_dev ?? domain === undefined,
    ...(account_id !== undefined && { account_id }),
    ...(domain !== undefined && { routes: [{ pattern: domain, custom_domain: true }] }),
    vars: { ...vars, GATEWAY_BASE_URL: gateway_base_url },
    // Without an id, the first deploy makes a namespace named after the Worker, and later ones find it by the Worker.
    kv_namespaces: [{ binding: 'CONFIG', ...(kv_namespace_id !== undefined && { id: kv_namespace_id }) }],
    durable_objects: { bindings: objects.value },
    secrets: { required: [...secrets].sort() },
  });
}

/** The bindings of the Worker's own objects. With a `script_name` they would be another Worker's. */
function objectBindings(objects: Json | undefined): Result<readonly JsonObject[], string> {
  const bindings = isObject(objects) ? listOfObjects(objects['bindings']) : [];
  const foreign = bindings.find((binding) =>
    Object.keys(binding).some((key) => key !== 'name' && key !== 'class_name'),
  );
  return foreign === undefined
    ? ok(bindings)
    : err(
        'an object binding of wrangler.toml has more than `name` and `class_name`: tenants would share another Worker’s objects',
      );
}

/** Names that a secret must not have: it would replace the binding. */
export const bindingNames = (config: JsonObject): readonly string[] =>
  [
    ...listOfObjects(config['kv_namespaces']).map(({ binding }) => binding),
    ...(isObject(config['durable_objects']) ? listOfObjects(config['durable_objects']['bindings']) : []).map(
      ({ name }) => name,
    ),
    ...(isObject(config['assets']) ? [config['assets']['binding']] : []),
    ...(isObject(config['vars']) ? Object.keys(config['vars']) : []),
  ].filter((name) => typeof name === 'string');

export const nameOf = ({ name }: JsonObject): string => (typeof name === 'string' ? name : '');

const withPath = (object: JsonObject, key: string, path: (path: string) => string): JsonObject => {
  const value = object[key];
  return typeof value === 'string' ? { ...object, [key]: path(value) } : object;
};

const listOfObjects = (value: Json | undefined): readonly JsonObject[] =>
  isList(value) ? value.filter(isObject) : [];

const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
