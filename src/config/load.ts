import type { LoadedConfig, Source, SourceOutline } from './compiled/config.ts';
import {
  EMPTY_SET,
  type ConfigSet,
  setSchema,
  parseSet,
  hasAlertingKey,
  outlineSchema,
} from './documents/schema.ts';
import { asObject } from '../lib/json.ts';
import { describeError, log } from '../lib/log.ts';
import { err, ok } from '../lib/result.ts';
import { inTime } from '../lib/wait.ts';
import { readFacts } from './compiled/facts.ts';
import { recordOf } from '../schema/parts.ts';
import { objectPlace } from '../lib/bindings.ts';
import type { OverrideByHand, ListedOverride } from './compiled/rotation.ts';
import { type FieldError, fieldError } from '../lib/problem.ts';
import { V2 } from '../gateway/shape.ts';
import { memoized } from '../lib/cache.ts';
import { documentsOf, type Documents } from './documents/check.ts';
import { compileSource } from './compile/source.ts';
import { accountPolicies, compiledTemplates } from './compile/compile.ts';
import { compileSilences } from './compiled/silences.ts';
import { DEFAULT_ACCOUNT_NAME } from './secrets/credential-names.ts';
import * as z from 'zod/mini';

/**
 * A published set, ready to use. It was checked as a whole when it was published, so each source is compiled when its
 * first webhook comes, with the templates and lists that it names. A set of a thousand sources costs an isolate only
 * the sources that it serves. Accounts decide the pace of messages, so they are compiled at once; throws if this deploy
 * does not understand one. A silence that it does not understand is left out: a notification by mistake does less harm
 * than a missing one.
 */
export function lazyConfig(
  set: ConfigSet,
  version: number,
  {
    removed = {},
    silences: byHand,
    overrides = [],
    suppressions = '',
    publicUrl,
    activation = version,
  }: BesideSet & { readonly activation?: number } = {},
): LoadedConfig {
  const documents = documentsOf({ ...set, silences: { ...set.silences, ...byHand } });
  const { sources, accounts: all } = documents;
  const refuse = ([first]: readonly FieldError[]): void => {
    const invalid = `version ${version} of the configuration is not valid for the deployed code`;
    if (first !== undefined) throw new Error(`${invalid}: ${first.path} ${first.message}`);
  };
  refuse(all.names.flatMap((name) => all.errors(name)));
  const accounts = accountPolicies(documents);
  const template = compiledTemplates(documents);
  let outlines: ReadonlyMap<string, SourceOutline> | undefined;
  let silences: LoadedConfig['silences'] | undefined;
  let alerting: string | undefined;

  const compile = memoized((id) => {
    const errors: FieldError[] = [...sources.errors(id)];
    const document = sources.get(id);
    if (document === undefined) return { source: null, errors };
    const { account = DEFAULT_ACCOUNT_NAME } = document;
    if (!accounts.has(account))
      errors.push(fieldError(`sources.${id}.account`, 'unknown-name', `there is no account \`${account}\``));
    // A route with a wrong template must not be dropped silently.
    const noting = <Document>(these: Documents<Document>): Documents<Document> => ({
      ...these,
      get: (name) => {
        errors.push(...these.errors(name));
        return these.get(name);
      },
    });
    const { templates, recipients, providers } = documents;
    const compiled = compileSource(id, document, {
      documents: {
        templates: noting(templates),
        recipients: noting(recipients),
        providers: noting(providers),
      },
      overrides,
      gatewayOf: (name) => accounts.get(name)?.gateway ?? V2,
      template: (name) => {
        const { send, errors: wrong } = template(name);
        errors.push(...wrong);
        return send;
      },
    });
    return { source: compiled.source, errors: [...errors, ...compiled.errors] };
  });

  return {
    version,
    activation,
    sources: {
      has: (id) => sources.has(id),
      keys: () => sources.names.values(),
      get: (id): Source | undefined => {
        if (!sources.has(id)) return undefined;
        const { source, errors } = compile(id);
        refuse(errors);
        return source ?? undefined;
      },
    },
    get outlines() {
      return (outlines ??= outlinesOf(set));
    },
    accounts: withRemoved(accounts, removed),
    suppressions,
    publicUrl: publicUrl ?? null,
    get silences() {
      return (silences ??= compileSilences(documents.silences));
    },
    get alerting() {
      return (alerting ??= alertingOf(set, overrides));
    },
  };
}

const alertingOf = ({ sources, recipients }: ConfigSet, overrides: readonly ListedOverride[]): string =>
  JSON.stringify([
    overrides,
    Object.entries(sources).filter(([, source]) => {
      const { routes } = asObject(source);
      return Array.isArray(routes) && routes.some(hasAlertingKey);
    }),
    Object.entries(recipients).filter(([, list]) => hasAlertingKey(list)),
  ]);

/** Leaves out sources that this deploy does not understand. The doctor names them. */
const outlinesOf = (set: ConfigSet): ReadonlyMap<string, SourceOutline> =>
  new Map(
    Object.entries(set.sources).flatMap(([id, document]) => {
      const { success, data } = z.safeParse(outlineSchema, document);
      if (!success) return [];
      const { account = DEFAULT_ACCOUNT_NAME, heartbeat: heartbeatMs = null } = data;
      return [[id, { id, account, heartbeatMs }] as const];
    }),
  );

export function withRemoved(accounts: LoadedConfig['accounts'], removed: Readonly<Record<string, unknown>>) {
  const last = [...accountPolicies(documentsOf({ ...EMPTY_SET, accounts: removed }))]
    .filter(([name]) => name !== DEFAULT_ACCOUNT_NAME)
    .map(([name, policy]) => [name, { ...policy, isRemoved: true }] as const);
  return new Map([...last, ...accounts]);
}

/** The only key that a webhook reads: the published set. Its metadata has the version. */
export const CURRENT_KEY = 'config/current';

/** The key of version `n`, which never changes. */
export const versionKey = (n: number): string => `config/versions/${n}`;

/**
 * `activation` grows with each publish and rollback: it shows that a copy of a stale edge cache is older, which
 * `version` does not after a rollback.
 */
const publishedSchema = z.object({
  activation: z.number(),
  version: z.number(),
  set: setSchema,
  /** The last documents of removed accounts that still hold something, by name. */
  removed: z.optional(recordOf(z.unknown())),
  /** Silences that were added by hand and have not ended, by id. They look like documents. */
  silences: z.optional(recordOf(z.unknown())),
  /** Overrides that were made by hand, in that order. Those of the last days that have ended are among them. */
  overrides: z.optional(
    z.array(z.object({ list: z.string(), person: z.string(), from: z.number(), to: z.number() })),
  ),
  suppressions: z.optional(z.string()),
  publicUrl: z.optional(z.string()),
});

export type Published = z.output<typeof publishedSchema>;
/** The active state besides the set: everything that is in no document of a version. */
export type BesideSet = Omit<Published, 'activation' | 'version' | 'set'>;

const elsewhereSchema = z.object({ activation: z.number(), version: z.number(), jurisdiction: z.string() });

/** Within a jurisdiction, KV does not hold the documents, since it keeps copies anywhere: `published` is null then. */
export function parseCurrent(json: string) {
  const value: unknown = JSON.parse(json);
  const elsewhere = elsewhereSchema.safeParse(value);
  if (elsewhere.success) return { ...elsewhere.data, published: null };
  const published = publishedSchema.parse(value);
  return { activation: published.activation, version: published.version, jurisdiction: null, published };
}

export const parsePublished = (json: string): Published => publishedSchema.parse(JSON.parse(json));

/** How long a compiled set is used before KV is asked again (ms). With the edge cache's time, it is under a minute. */
export const MEMORY_MS = 15_000;

/** KV's own cache at the edge, in seconds; 30 is the platform's minimum. */
const EDGE_CACHE_SECONDS = 30;

/** Keyed by the namespace, so that two deployments in one process (tests) share nothing. */
const memory = new WeakMap<KVNamespace, Readonly<{ config: LoadedConfig; checkedAt: number }>>();

type ConfigBindings = Pick<Env, 'CONFIG' | 'REGISTRY' | 'ASSETS'>;

/**
 * From memory, or by one cached KV read; if KV fails and nothing was read before, from the registry. Calls `onRead` for
 * each read that has to succeed. Throws only if there is no configuration to use, or no facts.
 */
export async function loadConfig(env: ConfigBindings, now: number, onRead?: () => void) {
  const { CONFIG: kv } = env;
  const facts = readFacts(env, now, onRead);
  const known = memory.get(kv);
  if (known !== undefined && now - known.checkedAt < MEMORY_MS && now >= known.checkedAt) {
    await facts;
    return known.config;
  }
  // Starts all reads at once.
  onRead?.();
  const reading = kv.get(CURRENT_KEY, { type: 'text', cacheTtl: EDGE_CACHE_SECONDS }).then(ok, err);
  // The facts have to be there before anything is compiled.
  const [read] = await Promise.all([reading, facts]);
  const ask = (): Promise<Published> => askRegistry(env, now, onRead);
  try {
    if (!read.ok) throw read.error;
    return useConfig(kv, read.value === null ? NOTHING : await readCurrent(read.value, env, ask), now);
  } catch (thrown) {
    // Another request may have read it in the meantime.
    const isKnown = memory.has(kv);
    // That KV could not be read says nothing about its content.
    if (!isKnown && read.ok) throw thrown;
    const instead = isKnown
      ? NOTHING
      : await ask().catch((late: unknown) => {
          const both = `KV: ${describeError(thrown)}; the registry: ${describeError(late)}`;
          throw new Error(both, { cause: thrown });
        });
    // Using the last set is better than refusing every webhook.
    const config = useConfig(kv, instead, now);
    log('warn', 'config.read.failed', { error: describeError(thrown), version: config.version });
    return config;
  }
}

/** It is older than every other one, so that an isolate goes on with what it has. */
const NOTHING: Published = { activation: 0, version: 0, set: EMPTY_SET };

/** KV's value, with the documents of the registry if KV has none. Throws if they cannot be read. */
async function readCurrent(text: string, env: ConfigBindings, ask: () => Promise<Published>) {
  const { activation, jurisdiction, published } = parseCurrent(text);
  const moved = movedText(jurisdiction, env);
  if (moved !== null) throw new Error(moved);
  const known = memory.get(env.CONFIG)?.config;
  const hasNews = known === undefined || known.activation < activation;
  return published ?? (hasNews ? await ask() : NOTHING);
}

/**
 * Each isolate asks the registry, one object for all, at most once in this time (ms), and waits no longer. A cancelled
 * request also cancels its call, so every wait needs an end.
 */
const ASK_MS = 2_000;

const asked = new WeakMap<
  KVNamespace,
  Readonly<{ at: number; atLeast: number; answer: Promise<string | null> }>
>();

/** KV has an older configuration than this activation, which is known to exist. Throws if the registry does not answer. */
export async function loadNewer(env: ConfigBindings, now: number, atLeast: number, onRead?: () => void) {
  const known = memory.get(env.CONFIG);
  const published = await askRegistry(env, now, onRead, atLeast);
  // It was restored to an earlier state, unless something was published here since it was asked.
  const isEarlier = known !== undefined && published.activation < known.config.activation;
  if (isEarlier && memory.get(env.CONFIG) === known) memory.delete(env.CONFIG);
  return useConfig(env.CONFIG, published, now);
}

/** `atLeast`: the activation that the answer has at least, since it was known when the call began. */
async function askRegistry(env: ConfigBindings, now: number, onRead?: () => void, atLeast = 0) {
  let call = asked.get(env.CONFIG);
  if (call === undefined || call.atLeast < atLeast || now - call.at >= ASK_MS || now < call.at) {
    onRead?.();
    // A new promise: the stub's promise belongs to the request that made it.
    call = { at: now, atLeast, answer: (async () => registry(env).published())() };
    asked.set(env.CONFIG, call);
  }
  const text = await inTime(ASK_MS, call.answer, 'the registry did not answer in time');
  if (text === null) throw new Error('the registry lacks the active version');
  return parsePublished(text);
}

/** Applies a set in this isolate at once: one that was read from KV, or was just published here. */
export function useConfig(kv: KVNamespace, published: Published, now: number): LoadedConfig {
  const known = memory.get(kv)?.config;
  const isNews = known === undefined || known.activation < published.activation;
  const config = isNews ? lazyConfig(published.set, published.version, published) : known;
  memory.set(kv, { config, checkedAt: now });
  return config;
}

/**
 * Why this deployment must not be used: its events are in another jurisdiction than its variable names. Null if it is
 * right.
 */
export function movedText(jurisdiction: string | null, env: object): string | null {
  const place = objectPlace(env);
  if (!place.ok) return place.error;
  const now = place.value.jurisdiction;
  return now === jurisdiction
    ? null
    : `JURISDICTION is ${now ?? 'not set'}, but the documents and events of this relay are in ${jurisdiction ?? 'no jurisdiction'}, where they are out of reach: ${jurisdiction === null ? 'remove it' : `set it to ${jurisdiction} again`} under [vars] in wrangler.toml. To move, deploy under another name with the new value, then npx hookbell pull and npx hookbell export here, and npx hookbell push there`;
}

export const registry = (env: Pick<Env, 'REGISTRY'>) => env.REGISTRY.getByName('registry');

/** A set, with the overrides by hand of today, in the order in which they were made. */
export interface StoredSet {
  readonly version: number;
  readonly set: ConfigSet;
  readonly overrides: readonly OverrideByHand[];
}

/** The set in force, or an earlier version, as it was written; null if there is no such version. */
export async function readSet(env: Env, version?: number): Promise<StoredSet | null> {
  const stored = await registry(env).read(version);
  return stored === null ? null : { ...stored, set: parseSet(stored.documents) };
}

/** The same with what hookbell put in when it was published, as webhooks are read by it. */
export async function readSetInUse(env: Env): Promise<StoredSet | null> {
  const stored = await registry(env).read();
  return stored === null ? null : { ...stored, set: parseSet(stored.built ?? stored.documents) };
}
