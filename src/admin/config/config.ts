import { Hono } from 'hono/tiny';
import * as z from 'zod/mini';
import { readSet, registry } from '../../config/registry-client.ts';
import { KINDS } from '../../config/kinds.ts';
import { strictDocument } from '../../schema/parts.ts';
import type { AdminVariables } from '../auth/auth.ts';
import { check, checkQuery, notFound, readJson, versionNumber } from '../request/input.ts';
import { answerPage, numberedPage, numberedQuery } from '../request/pages.ts';
import { answer, etag, ifMatch, publish } from './publish.ts';

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
});

/** The query of `GET /config`. */
export const exportQuery = { version: z.optional(versionNumber) };

/** `/config`: publish, export, list and roll back whole sets. */
export const config = new Hono<{ Bindings: Env; Variables: AdminVariables }>();

config.post('/config', async (context) => {
  const body = await readJson(context.req.raw);
  if (!body.ok) return body.error;
  const set = check(setSchema, body.value);
  return set.ok ? publish(context, { kind: 'replace', set: set.value }) : set.error;
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
  answerPage(context, numberedQuery, async ({ limit, cursor = null }) =>
    numberedPage(await registry(context.env).versions(limit + 1, cursor), limit, ({ version }) => version),
  ),
);

config.post('/config/versions/:version/activate', async (context) => {
  const query = checkQuery({}, context);
  if (!query.ok) return query.error;
  const version = z.safeParse(versionNumber, context.req.param('version'));
  if (!version.success) return notFound(`version \`${context.req.param('version')}\``);
  const condition = ifMatch(context);
  if (!condition.ok) return condition.error;
  return answer(context, () => registry(context.env).activate(version.data, condition.value));
});

config.get('/rejections', (context) =>
  answerPage(context, numberedQuery, async ({ limit, cursor = null }) => {
    const found = await registry(context.env).rejections(limit + 1, cursor);
    const page = numberedPage(found, limit, ({ n }) => n);
    return { ...page, items: page.items.map(({ n, entry }) => ({ n, ...entry })) };
  }),
);
