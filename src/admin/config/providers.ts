import { Hono } from 'hono/tiny';
import { providers } from '../../provider/catalog/catalog.ts';
import type { AdminVariables } from '../auth/auth.ts';
import { checkQuery, notFound } from '../request/input.ts';
import { readStarter, samplesOf } from './starters.ts';

/** `/providers`: what hookbell ships about each kind of source. */
export const providerRoutes = new Hono<{ Bindings: Env; Variables: AdminVariables }>();

providerRoutes.get('/providers', (context) => {
  const query = checkQuery({}, context);
  if (!query.ok) return query.error;
  const items = [...providers.values()].map(({ id, name, category, verify }) => ({
    id,
    name,
    category,
    signs: verify !== null,
  }));
  return context.json({ items, next_cursor: null });
});

providerRoutes.get('/providers/:id', async (context) => {
  const id = context.req.param('id');
  const provider = providers.get(id);
  if (provider === undefined) return notFound(`provider \`${id}\``);
  const starter = await readStarter(context.env, id);
  return context.json(jsonOf({ ...provider, ...starter, samples: samplesOf(starter) }));
});

/** Patterns of hosts are shown as they are written; JSON would turn them into `{}`. */
const jsonOf = (value: object): unknown =>
  JSON.parse(JSON.stringify(value, (_, inner: unknown) => (inner instanceof RegExp ? inner.source : inner)));
