import * as z from 'zod/mini';
import { type FieldError, fieldError } from '../lib/problem.ts';
import { V2 } from '../gateway/shape.ts';
import { memoized } from '../lib/cache.ts';
import { documentsOf, type Documents } from './documents/check.ts';
import { compileSource } from './compile/source.ts';
import { accountPolicies, compiledTemplates } from './compile/compile.ts';
import { compileSilences } from './compile/silences.ts';
import type { LoadedConfig, Source, SourceOutline } from './compiled/config.ts';
import { DEFAULT_ACCOUNT_NAME } from './secrets/credential-names.ts';
import type { ListedOverride } from './compiled/rotation.ts';
import { hasAlertingKey, outlineSchema, type ConfigSet, EMPTY_SET } from './documents/schema.ts';

/** The active state besides the set: everything that is in no document of a version. */
export interface BesideSet {
  /** The last documents of removed accounts that still hold something, by name. */
  readonly removed?: Readonly<Record<string, unknown>> | undefined;
  /** Silences that were added by hand and have not ended, by id. They look like documents. */
  readonly silences?: Readonly<Record<string, unknown>> | undefined;
  /** Overrides that were made by hand, in that order. Those of the last days that have ended are among them. */
  readonly overrides?: readonly ListedOverride[] | undefined;
  readonly suppressions?: string | undefined;
  readonly publicUrl?: string | undefined;
}

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
  const refuse = (errors: readonly FieldError[]): void => {
    const [first] = errors;
    if (first !== undefined)
      throw new Error(
        `version ${version} of the configuration is not valid for the deployed code: ${first.path} ${first.message}`,
      );
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
    const compiled = compileSource(id, document, {
      documents: {
        templates: noting(documents.templates),
        recipients: noting(documents.recipients),
        providers: noting(documents.providers),
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
    Object.entries(sources).filter(([, source]) => routesIn(source).some(hasAlertingKey)),
    Object.entries(recipients).filter(([, list]) => hasAlertingKey(list)),
  ]);

function routesIn(source: unknown): readonly unknown[] {
  const routes: unknown =
    typeof source === 'object' && source !== null ? Reflect.get(source, 'routes') : undefined;
  return Array.isArray(routes) ? routes : [];
}

/** Leaves out sources that this deploy does not understand. The doctor names them. */
const outlinesOf = (set: ConfigSet): ReadonlyMap<string, SourceOutline> =>
  new Map(
    Object.entries(set.sources).flatMap(([id, document]) => {
      const { success, data } = z.safeParse(outlineSchema, document);
      if (!success) return [];
      const { account = DEFAULT_ACCOUNT_NAME, heartbeat = null } = data;
      return [[id, { id, account, heartbeatMs: heartbeat }] as const];
    }),
  );

export function withRemoved(
  accounts: LoadedConfig['accounts'],
  removed: Readonly<Record<string, unknown>>,
): LoadedConfig['accounts'] {
  const last = [...accountPolicies(documentsOf({ ...EMPTY_SET, accounts: removed }))]
    .filter(([name]) => name !== DEFAULT_ACCOUNT_NAME)
    .map(([name, policy]) => [name, { ...policy, isRemoved: true }] as const);
  return new Map([...last, ...accounts]);
}
