import { Hono } from 'hono/tiny';
import { providers } from '../../provider/catalog/catalog.ts';
import type { AdminVariables } from '../auth/auth.ts';
import { checkQuery, notFound } from '../request/input.ts';
import { readWordedStarter, samplesOf } from './starters.ts';
import { FIRST_LANGUAGE } from '../../config/starter-texts.ts';
import { sourceSchema } from '../../config/schema.ts';

/** Parameters of a provider's query. */
export const providerQuery = { locale: sourceSchema.shape.locale };

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
  const query = checkQuery(providerQuery, context);
  if (!query.ok) return query.error;
  const provider = providers.get(id);
  if (provider === undefined) return notFound(`provider \`${id}\``);
  const starter = await readWordedStarter(context.env, id, query.value.locale ?? FIRST_LANGUAGE);
  return context.json(jsonOf({ ...provider, ...starter, samples: samplesOf(starter) }));
});

/** Patterns of hosts are shown as they are written; JSON would turn them into `{}`. */
const jsonOf = (value: object): unknown =>
  JSON.parse(JSON.stringify(value, (_, inner: unknown) => (inner instanceof RegExp ? inner.source : inner)));
