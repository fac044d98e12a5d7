import { assetText } from '../lib/asset-text.ts';
import { loadConfig } from '../config/load.ts';
import { parseOwnJson } from '../lib/own-json.ts';
import { collect } from '../metrics/collect.ts';
import { families } from '../metrics/families.ts';
import { CONTENT_TYPE, exposition } from '../metrics/prometheus.ts';
import { apiRoute, type ApiRoutes } from './api/route.ts';

/** Serves the counters in Prometheus's text format. */
export const metricsRoutes = {
  getMetrics: apiRoute({
    method: 'GET',
    path: '/metrics',
    role: 'viewer',
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
