import { Hono } from 'hono/tiny';
import { loadConfig } from '../config/load.ts';
import { collect } from '../metrics/collect.ts';
import { families } from '../metrics/families.ts';
import { CONTENT_TYPE, exposition } from '../metrics/prometheus.ts';
import { withManyOutboxes } from '../outbox/many-outboxes.ts';
import type { AdminVariables } from './auth/auth.ts';

/** `/metrics`: what was counted, in Prometheus's text format. */
export const metrics = new Hono<{ Bindings: Env; Variables: AdminVariables }>();

metrics.get('/metrics', async (context) => {
  const now = Date.now();
  const env = withManyOutboxes(context.env);
  const collected = await collect(env, await loadConfig(env, now));
  const headers = { 'content-type': CONTENT_TYPE, 'cache-control': 'no-store' };
  return new Response(exposition(families(collected, now)), { headers });
});
