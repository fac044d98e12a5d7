import { Hono } from 'hono';
import * as z from 'zod';
import { readSet, registry } from '../config/registry-client.ts';
import { KINDS } from '../config/kinds.ts';
import { strictDocument } from '../config/schema-parts.ts';
import type { Env } from '../env.ts';
import type { AdminVariables } from './auth.ts';
import { check, checkQuery, notFound, pageParams, readJson } from './input.ts';
import { answer, publish } from './publish.ts';

const documentsByName = z
  .optional(z.record(z.string(), z.unknown(), { error: 'must be documents by name' }))
  .transform((map) => map ?? {});

/** A whole set. A part that is left out is empty: the set replaces what was there. */
const setSchema = strictDocument({
  sources: documentsByName,
  templates: documentsByName,
  recipients: documentsByName,
  accounts: documentsByName,
});

/** `/config`: publish, export, list and roll back whole sets. */
export const config = new Hono<{ Bindings: Env; Variables: AdminVariables }>();

config.post('/config', async (context) => {
  const body = await readJson(context.req.raw);
  if (!body.ok) return body.error;
  const set = check(setSchema, body.value);
  return set.ok ? publish(context, { kind: 'replace', set: set.value }) : set.error;
});

config.get('/config', async (context) => {
  const wanted = context.req.query('version');
  const current = await readSet(context.env, wanted === undefined ? undefined : Number(wanted));
  if (current === null) return notFound(`version ${wanted}`);
  // The same keys that `POST /config` takes, so that an export can be published as it is.
  return context.json(Object.fromEntries(KINDS.map((kind) => [kind, current.set[kind]])), 200, {
    'hookbell-config-version': String(current.version),
  });
});

config.get('/config/versions', async (context) => {
  const query = checkQuery(z.strictObject(pageParams), context);
  if (!query.ok) return query.error;
  const { limit, cursor } = query.value;
  const items = await registry(context.env).versions(
    limit + 1,
    cursor === undefined ? null : Number(cursor) || 0,
  );
  const page = items.slice(0, limit);
  return context.json({
    items: page,
    next_cursor: items.length > limit ? String(page.at(-1)?.version) : null,
  });
});

config.post('/config/versions/:version/activate', async (context) => {
  const version = Number(context.req.param('version'));
  if (!Number.isSafeInteger(version) || version < 1)
    return notFound(`version ${context.req.param('version')}`);
  return answer(context, await registry(context.env).activate(version));
});

config.get('/rejections', async (context) => {
  const query = checkQuery(z.strictObject({ limit: pageParams.limit }), context);
  if (!query.ok) return query.error;
  return context.json({
    items: await registry(context.env).rejections(query.value.limit),
    next_cursor: null,
  });
});
