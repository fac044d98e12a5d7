import * as z from 'zod/mini';
import { loadConfig } from '../config/load.ts';
import { noSuch } from '../config/documents/unknown-name.ts';
import { STEP_MS } from '../counts/series.ts';
import { DAY, HOUR } from '../lib/time.ts';
import { METRICS } from '../outbox/counters/counters.ts';
import { duration, oneOf, shownKey } from '../schema/parts.ts';
import { collect, readSeries, stats } from '../metrics/collect.ts';
import { apiRoute, type ApiRoutes } from './api/route.ts';
import { invalidField, moment } from './request/input.ts';
import { assetText } from '../lib/bindings.ts';
import { parseOwnJson } from '../lib/json.ts';
import { CONTENT_TYPE, exposition, families } from '../metrics/prometheus.ts';

/** The number of the shortest steps in a week. */
const MAX_POINTS = 2_016;

export const statsRoutes = {
  getStats: apiRoute('GET /stats', 'viewer', {
    view: 'words',
    handle: async ({ env }) => {
      const now = Date.now();
      const config = await loadConfig(env, now);
      return stats(await collect(env, config), now);
    },
  }),

  getSeries: apiRoute('GET /stats/series', 'viewer', {
    view: 'words',
    query: {
      metric: oneOf(METRICS),
      from: z.optional(moment),
      to: z.optional(moment),
      step: z.optional(duration(STEP_MS, DAY)),
      account: z.optional(z.string()),
      source: z.optional(z.string()),
    },
    handle: async ({ env, query }) => {
      const now = Date.now();
      const { metric, account, source, to = now, from = to - DAY } = query;
      const { step = to - from > DAY ? HOUR : STEP_MS } = query;
      const config = await loadConfig(env, now);
      if (from >= to) return invalidField('from', 'out-of-range', 'must be before `to`');
      if (step % STEP_MS !== 0) return invalidField('step', 'malformed', 'must be a multiple of 5m');
      const longer = `must be longer: there would be more than ${MAX_POINTS} points`;
      if ((to - from) / step > MAX_POINTS) return invalidField('step', 'out-of-range', longer);
      if (account !== undefined && metric === 'rejected')
        return invalidField('account', 'conflict', 'must be left out: rejections are counted by source');
      if (account !== undefined && !config.accounts.has(account))
        return invalidField('account', ...noSuch('account', shownKey(account), [...config.accounts.keys()]));
      return readSeries(env, config, { metric, source, account, from, to, step }, now);
    },
  }),

  getMetrics: apiRoute('GET /metrics', 'viewer', {
    view: 'labels',
    handle: async ({ env }) => {
      const now = Date.now();
      const [collected, help] = await Promise.all([
        loadConfig(env, now).then((config) => collect(env, config)),
        assetText(env.ASSETS, 'metrics.json').catch(() => '{}'),
      ]);
      return new Response(exposition(families(collected, now, parseOwnJson(help))), {
        headers: { 'content-type': CONTENT_TYPE },
      });
    },
  }),
} satisfies ApiRoutes;
