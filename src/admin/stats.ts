import { Hono } from 'hono/tiny';
import { loadConfig } from '../config/load.ts';
import { collect } from '../metrics/collect.ts';
import { stats } from '../metrics/stats.ts';
import type { AdminVariables } from './auth/auth.ts';
import { checkQuery } from './request/input.ts';

/** `/stats`: the same counters for people and programs. */
export const statsRoute = new Hono<{ Bindings: Env; Variables: AdminVariables }>();

statsRoute.get('/stats', async (context) => {
  // There are only totals: a filter must not look as if it had been applied.
  const query = checkQuery({}, context);
  if (!query.ok) return query.error;
  const now = Date.now();
  const config = await loadConfig(context.env, now);
  return context.json(stats(await collect(context.env, config), now));
});
