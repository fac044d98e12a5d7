import { Hono } from 'hono/tiny';
import * as z from 'zod/mini';
import { readSet, registry } from '../../config/registry-client.ts';
import { KINDS } from '../../config/kinds.ts';
import { strictDocument } from '../../schema/parts.ts';
import type { AdminVariables } from '../auth/auth.ts';
import { check, checkQuery, invalid, notFound, readJson, versionNumber } from '../request/input.ts';
import { answerPage, numberedPage, numberedQuery } from '../request/pages.ts';
import { filesSchema, managedQuery, storedFiles } from './managed.ts';
import { answer, etag, ifMatch, publishAs, publishQuery } from './publish.ts';

/** Not a `z.record`, which drops `__proto__` silently: the check of names has to see it. */
const documentsByName = z._default(
  z.custom<Readonly<Record<string, unknown>>>(isObject, { error: 'must be documents by name' }),
  {},
);

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A whole set. A part that is left out is empty: the set replaces what was there. */
export const setSchema = strictDocument({
  sources: documentsByName,
  templates: documentsByName,
  recipients: documentsByName,
  accounts: documentsByName,
  silences: documentsByName,
  files: z.optional(filesSchema),
});

/** The query of `POST /config`. */
export const setQuery = { ...publishQuery, ...managedQuery };

/** The query of `GET /config`. */
export const exportQuery = { version: z.optional(versionNumber) };

/** `/config`: publish, export, list and roll back whole sets. */
export const config = new Hono<{ Bindings: Env; Variables: AdminVariables }>();

config.post('/config', async (context) => {
  const query = checkQuery(setQuery, context);
  if (!query.ok) return query.error;
  const body = await readJson(context.req.raw);
  if (!body.ok) return body.error;
  const given = check(setSchema, body.value);
  if (!given.ok) return given.error;
  const { files, ...set } = given.value;
  const change = { kind: 'replace', set } as const;
  const isManaged = query.value.managed === 'true';
  if (files !== undefined && !isManaged)
    return invalid('The request is not valid.', [{ path: 'files', message: 'needs `managed=true`' }]);
  if (!isManaged) return publishAs(context, change, query.value);
  const stored = storedFiles(files ?? {}, context.env);
  if (!stored.ok) return invalid('The request is not valid.', stored.error);
  const mark = { by: context.get('actor'), at: Date.now(), files: stored.value };
  return publishAs(context, change, query.value, mark);
});

config.get('/config', async (context) => {
  const query = checkQuery(exportQuery, context);
  if (!query.ok) return query.error;
  const { version } = query.value;
  const current = await readSet(context.env, version);
  if (current === null) return notFound(`version ${version}`);
  // The same keys that `POST /config` takes, so that an export can be published as it is.
  return context.json(Object.fromEntries(KINDS.map((kind) => [kind, current.set[kind]])), 200, {
    ...etag(current.version),
    'hookbell-config-version': String(current.version),
  });
});

config.get('/config/versions', (context) =>
  answerPage(context, numberedQuery, async ({ limit, cursor = null }) => {
    const stub = registry(context.env);
    const [versions, keeping] = await Promise.all([stub.versions(limit + 1, cursor), stub.keeping()]);
    return { ...numberedPage(versions, limit, ({ version }) => version), ...keeping };
  }),
);

config.post('/config/versions/:version/activate', async (context) => {
  const query = checkQuery(managedQuery, context);
  if (!query.ok) return query.error;
  const version = z.safeParse(versionNumber, context.req.param('version'));
  if (!version.success) return notFound(`version \`${context.req.param('version')}\``);
  const condition = ifMatch(context);
  if (!condition.ok) return condition.error;
  const mark = query.value.managed === 'true' ? { by: context.get('actor'), at: Date.now() } : undefined;
  return answer(context, () => registry(context.env).activate(version.data, condition.value, mark));
});

config.get('/rejections', (context) =>
  answerPage(context, numberedQuery, async ({ limit, cursor = null }) => {
    const found = await registry(context.env).rejections(limit + 1, cursor);
    const page = numberedPage(found, limit, ({ n }) => n);
    return { ...page, items: page.items.map(({ n, entry }) => ({ n, ...entry })) };
  }),
);
