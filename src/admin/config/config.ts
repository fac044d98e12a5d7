import { fieldError, type FieldError, MAX_ERRORS, problemResponse } from '../../lib/problem.ts';
import * as z from 'zod/mini';
import { readSet, registry } from '../../config/load.ts';
import { strictDocument, notText, oneOf, recordOf, someText } from '../../schema/parts.ts';
import { apiRoute, WithHeaders, type ApiRoutes } from '../api/route.ts';
import type { RequestScope } from '../api/serve.ts';
import {
  invalid,
  notFound,
  versionNumber,
  numberedPage,
  numberedQuery,
  wholeList,
  invalidField,
  REFUSALS,
} from '../request/input.ts';
import type { KeptFiles, PublishAnswer } from './api-config.ts';
import { documentSchemas, EMPTY_SET } from '../../config/documents/schema.ts';
import { providerSchema } from '../../config/documents/provider-file.ts';
import { ofEachKind, type DocumentKind } from '../../config/documents/name.ts';
import { secretValueErrors } from '../../config/secrets/named-secrets.ts';
import { isObject, parseOwnJson } from '../../lib/json.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { MAX_FILES_BYTES } from '../../registry/versions.ts';
import { providerFileErrors } from '../../ingest/provider-files.ts';
import { readFacts } from '../../config/compiled/facts.ts';
import {
  parseIfMatch,
  type Change,
  type Mark,
  type Precondition,
  type PublishReceipt,
  type PublishRefusal,
} from '../../registry/change.ts';
import { log } from '../../lib/log.ts';
import { announce } from '../../outbox/many-outboxes.ts';

export type Publisher = Required<Pick<RequestScope, 'env' | 'request' | 'login'>>;

/** Text for the list of versions, which is shown in terminals. */
const oneLine = (max: number) =>
  someText(max).check(
    z.refine((text) => !/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u.test(text), {
      error: 'must be on one line, without control characters',
    }),
  );

/** The query of a publish: `dry_run` only checks it, and the note goes into the list of versions. */
export const publishQuery = {
  dry_run: z.optional(oneOf(['true', 'false'])),
  note: z.optional(oneLine(200)),
};

export async function publish(
  by: Publisher,
  change: Change,
  query: z.output<z.ZodMiniObject<typeof publishQuery>>,
  mark?: Mark,
): Promise<PublishAnswer | Response> {
  const { env, request, login } = by;
  const condition = ifMatch(request);
  if (!condition.ok) return condition.error;
  await readFacts(env, Date.now());
  const errors = await providerFileErrors(providersIn(change));
  const detail = "A provider's file is not valid; nothing was changed.";
  if (errors.length > 0) return refused({ status: 422, detail, errors: errors.slice(0, MAX_ERRORS) });
  const asked = { change, condition: condition.value, publicUrl: originOf(request) };
  if (query.dry_run === 'true') {
    const checked = await registry(env).check(asked);
    return checked.ok ? { dry_run: true, warnings: checked.value } : refused(checked.error);
  }
  return answer(by, () =>
    registry(env).publish({ ...asked, by: login.actor, now: Date.now(), note: query.note, mark }),
  );
}

function providersIn(change: Change): Readonly<Record<string, unknown>> {
  if (change.kind === 'replace') return change.set.providers;
  return change.kind === 'put' && change.collection === 'providers' ? { [change.name]: change.document } : {};
}

/** Links begin with it if `PUBLIC_URL` is not set. Who may publish can write any link, so a forged `Host` gains nothing. */
const originOf = ({ url }: Request): string => new URL(url).origin;

/** The version that has to be in force; undefined for any. An invalid condition must not be ignored. */
export function ifMatch({ headers }: Request): Result<Precondition | undefined, Response> {
  const header = headers.get('if-match');
  if (header === null) return ok(undefined);
  const parsed = parseIfMatch(header);
  if (parsed.ok) return parsed;
  const errors = [fieldError('If-Match', 'malformed', parsed.error)];
  const detail = 'The request is not valid.';
  return err(problemResponse({ ...REFUSALS['invalid-if-match'], detail, errors }));
}

export const etag = (version: number): { readonly etag: string } => ({ etag: `"${version}"` });

/** Publishes or rolls back, applies the result in this isolate at once, and returns it. */
export async function answer(
  { env, login }: Publisher,
  putInForce: () => Promise<Result<PublishReceipt, PublishRefusal>>,
): Promise<Extract<PublishAnswer, { version: number }> | Response> {
  const result = await putInForce();
  if (!result.ok) return refused(result.error);
  const { version, published, warnings } = result.value;
  await announce(env, published);
  log('info', 'config.published', { version, by: login.actor });
  return { version, warnings };
}

const REFUSED = {
  404: REFUSALS['not-found'],
  409: REFUSALS['in-use'],
  412: REFUSALS['precondition-failed'],
  413: REFUSALS['too-large'],
  422: REFUSALS['invalid-configuration'],
} as const;

const refused = ({ status, detail, errors, inForce, conflict }: PublishRefusal): Response =>
  problemResponse({
    ...(conflict === undefined ? REFUSED[status] : REFUSALS[conflict]),
    detail,
    ...(errors && { errors }),
    ...(inForce !== undefined && { headers: etag(inForce) }),
  });

/** Not a `z.record`, which drops `__proto__` silently. The check of names has to see it. */
const documentsByName = z._default(
  z.custom<Readonly<Record<string, unknown>>>(isObject, { error: 'must map name to document' }),
  {},
);

const MAX_PATH = 200;
/** A path below the folder, which becomes a path in a patch. Its letters mean the same on every system. */
const PATH = /^\w[\w.-]*(\/\w[\w.-]*)*\.(ya?ml|json|liquid)$/;

const bytesOf = (text: string): number => new TextEncoder().encode(text).byteLength;

const managedQuery = { managed: z.optional(oneOf(['true', 'false'])) };

const filesSchema = recordOf(z.string({ error: notText }), 'must map path to text');

function storedFiles(files: z.output<typeof filesSchema>, env: Env) {
  const stored = JSON.stringify(files);
  const malformed = 'must be a path below the folder, such as `sources/shop.yaml`';
  const errors: FieldError[] = Object.keys(files)
    .filter((path) => !PATH.test(path) || path.length > MAX_PATH)
    .map((path) => fieldError(`files.${path}`, 'malformed', malformed));
  if (bytesOf(stored) > MAX_FILES_BYTES)
    errors.push(fieldError('files', 'too-long', `must not be larger than ${MAX_FILES_BYTES} bytes as JSON`));
  // A secret may be in a comment.
  for (const fault of secretValueErrors({ ...EMPTY_SET, sources: files }, env))
    errors.push({ ...fault, path: fault.path.replace('sources', 'files') });
  return errors.length > 0 ? err(errors) : ok(stored);
}

export const configRoutes = {
  publishConfig: apiRoute('POST /config', 'editor', {
    query: { ...publishQuery, ...managedQuery },
    // A whole set. It replaces the set before, so a part that is left out is empty.
    body: strictDocument({ ...ofEachKind(() => documentsByName), files: z.optional(filesSchema) }),
    handle: async (call) => {
      const { env, query, login } = call;
      const { files, ...set } = call.body;
      const change = { kind: 'replace', set } as const;
      const isManaged = query.managed === 'true';
      if (files !== undefined && !isManaged) return invalidField('files', 'conflict', 'needs `managed=true`');
      if (!isManaged) return publish(call, change, query);
      const stored = storedFiles(files ?? {}, env);
      if (!stored.ok) return invalid(stored.error);
      return publish(call, change, query, { by: login.actor, at: Date.now(), files: stored.value });
    },
  }),

  exportConfig: apiRoute('GET /config', 'viewer', {
    view: 'words',
    query: { version: z.optional(versionNumber) },
    handle: async ({ env, query: { version } }) => {
      const current = await readSet(env, version);
      if (current === null) return notFound(`version ${version}`);
      const headers = { ...etag(current.version), 'hookbell-config-version': String(current.version) };
      return new WithHeaders(current.set, headers);
    },
  }),

  listVersions: apiRoute('GET /config/versions', 'viewer', {
    view: 'words',
    query: numberedQuery,
    handle: async ({ env, query: { limit, cursor = null } }) => {
      const { items, managed, taken_over } = await registry(env).versions(limit + 1, cursor);
      return { ...numberedPage(items, limit, ({ version }) => version), managed, taken_over };
    },
  }),

  activateVersion: apiRoute('POST /config/versions/{version}/activate', 'editor', {
    query: managedQuery,
    handle: async (call) => {
      const { env, query, login } = call;
      const version = z.safeParse(versionNumber, call.params.version);
      if (!version.success) return notFound(`version \`${call.params.version}\``);
      const condition = ifMatch(call.request);
      if (!condition.ok) return condition.error;
      const mark = query.managed === 'true' ? { by: login.actor, at: Date.now() } : undefined;
      const publicUrl = originOf(call.request);
      const activation = { version: version.data, condition: condition.value, mark, publicUrl };
      return answer(call, () => registry(env).activate(activation));
    },
  }),

  takeOverConfig: apiRoute('POST /config/takeover', 'editor', {
    body: strictDocument({ name: oneLine(100) }),
    handle: async (call) => {
      const { env, body, login } = call;
      const taken = await answer(call, () => registry(env).takeOver(body.name, login.actor, Date.now()));
      return taken instanceof Response ? taken : { ...taken, managed: null };
    },
  }),

  readConfigFiles: apiRoute('GET /config/files', 'viewer', {
    view: 'quoted',
    query: { path: z.optional(z.string()) },
    handle: async ({ env, query: { path } }): Promise<KeptFiles | Response> => {
      const files = parseOwnJson<Record<string, string>>(await registry(env).files());
      if (path === undefined)
        return wholeList(Object.entries(files).map(([file, text]) => ({ path: file, bytes: bytesOf(text) })));
      const text = Object.hasOwn(files, path) ? files[path] : undefined;
      return text === undefined ? notFound(`file \`${path}\``) : { path, text };
    },
  }),
} satisfies ApiRoutes;

const SCHEMAS = { ...documentSchemas, providers: providerSchema };

const nameIn = (kind: DocumentKind): 'id' | 'name' =>
  kind === 'sources' || kind === 'silences' || kind === 'providers' ? 'id' : 'name';

const list = (kind: DocumentKind) =>
  apiRoute(`GET /${kind}`, 'viewer', {
    view: 'words',
    handle: async ({ env }) => {
      const current = await readSet(env);
      const items = Object.entries(current?.set[kind] ?? {}).map(([name, document]) => {
        const named: Record<string, unknown> = { [nameIn(kind)]: name };
        return { ...named, ...(isObject(document) && document) };
      });
      return new WithHeaders(wholeList<unknown>(items), etag(current?.version ?? 0));
    },
  });

const read = (kind: DocumentKind) =>
  apiRoute(`GET /${kind}/{${nameIn(kind)}}`, 'viewer', {
    view: 'words',
    handle: async ({ env, params }) => {
      const name = params[nameIn(kind)];
      const current = await readSet(env);
      const found = Object.entries(current?.set[kind] ?? {}).find(([other]) => other === name);
      return current === null || found === undefined
        ? notFound(`\`${name}\` in ${kind}`)
        : new WithHeaders(found[1], etag(current.version));
    },
  });

const write = (kind: DocumentKind, role: 'operator' | 'editor') =>
  apiRoute(`PUT /${kind}/{${nameIn(kind)}}`, role, {
    query: publishQuery,
    body: z.unknown(),
    shownBody: SCHEMAS[kind],
    handle: (call) => {
      const name = call.params[nameIn(kind)];
      return publish(call, { kind: 'put', collection: kind, name, document: call.body }, call.query);
    },
  });

const remove = (kind: DocumentKind) =>
  apiRoute(`DELETE /${kind}/{${nameIn(kind)}}`, 'editor', {
    query: publishQuery,
    handle: (call) =>
      publish(call, { kind: 'delete', collection: kind, name: call.params[nameIn(kind)] }, call.query),
  });

export const documentRoutes = {
  listSources: list('sources'),
  getSource: read('sources'),
  putSource: write('sources', 'editor'),
  deleteSource: remove('sources'),
  listTemplates: list('templates'),
  getTemplate: read('templates'),
  putTemplate: write('templates', 'editor'),
  deleteTemplate: remove('templates'),
  listRecipientsLists: list('recipients'),
  getRecipients: read('recipients'),
  putRecipients: write('recipients', 'editor'),
  deleteRecipients: remove('recipients'),
  listAccounts: list('accounts'),
  getAccount: read('accounts'),
  putAccount: write('accounts', 'editor'),
  deleteAccount: remove('accounts'),
  // Silences are also added by hand: `silences.ts` lists and ends both.
  getSilence: read('silences'),
  putSilence: write('silences', 'operator'),
  // Some providers are built in: `providers.ts` lists and reads both.
  putProvider: write('providers', 'editor'),
  deleteProvider: remove('providers'),
};
