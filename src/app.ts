import type { Context } from 'hono';
import { Hono } from 'hono/tiny';
import { metrics } from './admin/metrics.ts';
import { admin } from './admin/admin.ts';
import { requireAdmin } from './admin/auth/auth.ts';
import { consolePage } from './admin/console.ts';
import { handleWebhook } from './ingest/webhook.ts';
import { describeError, log } from './lib/log.ts';
import { NOT_FOUND, problemResponse, UNAVAILABLE } from './lib/problem.ts';

type AppContext = Context<{ Bindings: Env }>;

/** The route table. Webhooks come in under `/hooks`, people under `/admin`. */
export const app = new Hono<{ Bindings: Env }>();

const webhook = (context: AppContext): Promise<Response> => {
  const address = { sourceId: context.req.param('source') ?? '', pathToken: context.req.param('token') };
  return handleWebhook(context.req.raw, address, context.env, context.executionCtx);
};

app.all('/hooks/:source', webhook);
app.all('/hooks/:source/:token', webhook);
app.route('/admin/api/v1', admin);
app.route('/', consolePage);
// Where Prometheus looks by default, with the same token.
app.use('/metrics', requireAdmin);
app.route('/', metrics);
app.get('/health', (context) => context.json({ status: 'ok' }));

app.notFound(() =>
  problemResponse({
    ...NOT_FOUND,
    // The address is not repeated: it may hold a token.
    detail: 'There is nothing at this address. Webhooks go to /hooks/{source}.',
  }),
);

/** An exception is a bug or a fault of the platform. 503 makes a sender try again, so nothing is lost. */
app.onError((thrown, context) => {
  log('error', 'request.failed', {
    path: context.req.path.split('/').slice(0, 3).join('/'),
    error: describeError(thrown),
  });
  return problemResponse(UNAVAILABLE);
});
