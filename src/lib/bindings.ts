import { err, ok, type Result } from './result.ts';
import { variable } from './secret.ts';

export async function assetText(assets: Fetcher, path: string): Promise<string> {
  const found = await assets.fetch(`https://assets.invalid/${path}`);
  const text = await found.text();
  if (!found.ok)
    throw new Error(`asset /${path}: status ${found.status}; deploy again, with the folder \`assets\``);
  return text;
}

/** https://developers.cloudflare.com/durable-objects/reference/data-location/ */
export const JURISDICTIONS = ['eu', 'fedramp'] as const;
export const LOCATION_HINTS = ['wnam', 'enam', 'sam', 'weur', 'eeur', 'apac', 'oc', 'afr', 'me'] as const;

type Jurisdiction = (typeof JURISDICTIONS)[number];

export interface ObjectPlace {
  /** Null for anywhere. An object in a jurisdiction has another id than an object with the same name outside it. */
  readonly jurisdiction: Jurisdiction | null;
  /** The place where an object is created. It does not move later. Null for a place near its first caller. */
  readonly hint: (typeof LOCATION_HINTS)[number] | null;
}

/** Reads `JURISDICTION` and `LOCATION_HINT`. An unknown value is an error: data must not be stored in another place. */
export function objectPlace(env: object): Result<ObjectPlace, string> {
  const jurisdiction = oneOf(env, 'JURISDICTION', JURISDICTIONS);
  const hint = oneOf(env, 'LOCATION_HINT', LOCATION_HINTS);
  if (!jurisdiction.ok) return jurisdiction;
  return hint.ok ? ok({ jurisdiction: jurisdiction.value, hint: hint.value }) : hint;
}

/** The jurisdiction of a deployment; null if there is none, or the variables are wrong. */
export function jurisdictionOf(env: object): Jurisdiction | null {
  const place = objectPlace(env);
  return place.ok ? place.value.jurisdiction : null;
}

function oneOf<Name extends string>(env: object, name: string, names: readonly Name[]) {
  const text = (variable(env, name) ?? '').trim();
  const found = names.find((one) => one === text);
  if (text === '' || found !== undefined) return ok(found ?? null);
  const must = `must be one of ${names.join(', ')}, and not \`${text}\``;
  return err(`${name} ${must}: change it under [vars] in wrangler.toml`);
}

/** Its namespaces create objects in their place; all code addresses objects by them. Throws for wrong variables. */
export function placed<E extends Pick<Env, 'OUTBOX' | 'REGISTRY'>>(env: E): E {
  const place = objectPlace(env);
  if (!place.ok) throw new Error(place.error);
  if (place.value.jurisdiction === null && place.value.hint === null) return env;
  const namespaces = new Map<PropertyKey, unknown>([
    ['OUTBOX', namespaceIn(env.OUTBOX, place.value)],
    ['REGISTRY', namespaceIn(env.REGISTRY, place.value)],
  ]);
  return new Proxy(env, { get: (target, key): unknown => namespaces.get(key) ?? Reflect.get(target, key) });
}

/** Returns the namespace with its place. It only supports addressing objects by name. */
function namespaceIn<T extends Rpc.DurableObjectBranded | undefined>(
  namespace: DurableObjectNamespace<T>,
  { jurisdiction, hint }: ObjectPlace,
): Pick<DurableObjectNamespace<T>, 'getByName'> {
  const within = jurisdiction === null ? namespace : namespace.jurisdiction(jurisdiction);
  return { getByName: (name) => within.getByName(name, hint === null ? {} : { locationHint: hint }) };
}
