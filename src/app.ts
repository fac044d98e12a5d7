import type { Context } from 'hono';
import { Hono } from 'hono/tiny';
import { statsRoutes } from './admin/stats.ts';
import { admin } from './admin/admin.ts';
import { serve } from './admin/api/serve.ts';
import { handleCalendar } from './admin/config/on-call.ts';
import { consolePage } from './admin/console.ts';
import { handlePress } from './ingest/press.ts';
import { handleWebhook } from './ingest/webhook.ts';
import { fault } from './lib/log.ts';
import { NOWHERE, problemResponse } from './lib/problem.ts';

type AppContext = Context<{ Bindings: Env }>;

/** Webhooks use `/hooks`, people `/admin`, links in messages `/a`, calendars `/calendar`. */
export const app = new Hono<{ Bindings: Env }>();

const webhook = (context: AppContext): Promise<Response> => {
  const address = {
    sourceId: context.req.param('source') ?? '',
    pathToken: context.req.param('token'),
  };
  return handleWebhook(context.req.raw, address, context.env, context.executionCtx);
};

const press = ({ req, env }: AppContext): Promise<Response> =>
  handlePress(req.raw, req.param('token') ?? '', env);

app.all('/hooks/:source', webhook);
app.all('/hooks/:source/:token', webhook);
// People and programs also write links in capitals, or lose their end.
for (const path of ['/a', '/a/', '/a/:token', '/A', '/A/', '/A/:token']) app.all(path, press);
app.get('/calendar/:file', ({ req, env }) => handleCalendar(req.raw, req.param('file'), env));
app.route('/admin/api/v1', admin);
app.route('/', consolePage);
// Prometheus looks here by default. The token is the same.
app.get('/metrics', serve(statsRoutes.getMetrics));
app.get('/health', () => Response.json({ status: 'ok' }));

app.notFound(() => problemResponse(NOWHERE));

app.onError((thrown, { req }) => fault(thrown, req.path));
