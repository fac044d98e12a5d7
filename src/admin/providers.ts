import { Hono } from 'hono';
import type { Env } from '../env.ts';
import { providers } from '../provider/catalog.ts';
import type { AdminVariables } from './auth.ts';
import { checkQuery, notFound } from './input.ts';

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

providerRoutes.get('/providers/:id', (context) => {
  const id = context.req.param('id');
  const provider = providers.get(id);
  return provider === undefined ? notFound(`provider \`${id}\``) : context.json(provider);
});
