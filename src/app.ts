import type { Context } from 'hono';
import { Hono } from 'hono/tiny';
import { metricsRoutes } from './admin/metrics.ts';
import { admin } from './admin/admin.ts';
import { serve } from './admin/api/serve.ts';
import { handleCalendar } from './admin/config/calendar.ts';
import { consolePage } from './admin/console.ts';
import { handlePress } from './ingest/press/press.ts';
import { handleWebhook } from './ingest/webhook.ts';
import { fault } from './lib/fault.ts';
import { NOWHERE, problemResponse } from './lib/problem.ts';

type AppContext = Context<{ Bindings: Env }>;

/**
 * The route table. Webhooks come in under `/hooks`, people under `/admin` and by the links of messages under `/a`. Their calendars ask under
 * `/calendar`.
 */
export const app = new Hono<{ Bindings: Env }>();

const webhook = (context: AppContext): Promise<Response> => {
  const address = { sourceId: context.req.param('source') ?? '', pathToken: context.req.param('token') };
  return handleWebhook(context.req.raw, address, context.env, context.executionCtx);
};

const press = ({ req, env }: AppContext): Promise<Response> =>
  handlePress(req.raw, req.param('token') ?? '', env);

app.all('/hooks/:source', webhook);
app.all('/hooks/:source/:token', webhook);
// People and programs write links in capitals, too, or lose the end of them.
for (const path of ['/a', '/a/', '/a/:token', '/A', '/A/', '/A/:token']) app.all(path, press);
app.get('/calendar/:file', ({ req, env }) => handleCalendar(req.param('file'), env));
app.route('/admin/api/v1', admin);
app.route('/', consolePage);
// Where Prometheus looks by default, with the same token.
app.get('/metrics', serve(metricsRoutes.getMetrics));
app.get('/health', () => Response.json({ status: 'ok' }));

app.notFound(() => problemResponse(NOWHERE));

app.onError((thrown, { req }) => fault(thrown, req.path));
