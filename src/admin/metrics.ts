import { loadConfig } from '../config/load.ts';
import { collect } from '../metrics/collect.ts';
import { families } from '../metrics/families.ts';
import { CONTENT_TYPE, exposition } from '../metrics/prometheus.ts';
import { apiRoute, type ApiRoutes } from './api/route.ts';

/** The counters in Prometheus's text format. */
export const metricsRoutes = {
  getMetrics: apiRoute({
    method: 'GET',
    path: '/metrics',
    role: 'viewer',
    view: 'labels',
    handle: async ({ env }) => {
      const now = Date.now();
      const collected = await collect(env, await loadConfig(env, now));
      return new Response(exposition(families(collected, now)), {
        headers: { 'content-type': CONTENT_TYPE },
      });
    },
  }),
} satisfies ApiRoutes;
