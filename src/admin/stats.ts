import { Hono } from 'hono/tiny';
import * as z from 'zod/mini';
import { loadConfig } from '../config/load.ts';
import { unknownName } from '../config/unknown-name.ts';
import { STEP_MS } from '../counts/series.ts';
import { DAY, HOUR } from '../lib/duration.ts';
import { METRICS, readSeries } from '../metrics/series.ts';
import { duration, oneOf, shownKey } from '../schema/parts.ts';
import { collect } from '../metrics/collect.ts';
import { stats } from '../metrics/stats.ts';
import type { AdminVariables } from './auth/auth.ts';
import { checkQuery, invalid, moment } from './request/input.ts';

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

/** The query of `GET /stats/series`. */
export const seriesQuery = {
  metric: oneOf(METRICS),
  from: z.optional(moment),
  to: z.optional(moment),
  step: z.optional(duration(STEP_MS, DAY)),
  account: z.optional(z.string()),
  source: z.optional(z.string()),
};

/** A week of the shortest steps. */
const MAX_POINTS = 2_016;

statsRoute.get('/stats/series', async (context) => {
  const query = checkQuery(seriesQuery, context);
  if (!query.ok) return query.error;
  const now = Date.now();
  const { metric, account, source, to = now, from = to - DAY } = query.value;
  const { step = to - from > DAY ? HOUR : STEP_MS } = query.value;
  const config = await loadConfig(context.env, now);
  if (from >= to) return wrong('from', 'must be before `to`');
  if (step % STEP_MS !== 0) return wrong('step', 'must be a multiple of 5m');
  if ((to - from) / step > MAX_POINTS)
    return wrong('step', `must be longer: these would be more than ${MAX_POINTS} points`);
  if (account !== undefined && metric === 'rejected')
    return wrong('account', 'must be left out: rejections are counted by source');
  if (account !== undefined && !config.accounts.has(account))
    return wrong('account', unknownName('account', shownKey(account), [...config.accounts.keys()]));
  return context.json(
    await readSeries(context.env, config, { metric, source, account, from, to, step }, now),
  );
});

const wrong = (path: string, message: string): Response =>
  invalid('The request is not valid.', [{ path, message }]);
