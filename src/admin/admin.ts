import { Hono } from 'hono/tiny';
import { accounts } from './accounts.ts';
import { requireAdmin, type AdminVariables } from './auth/auth.ts';
import { cancelMany } from './messages/cancel-many.ts';
import { config } from './config/config.ts';
import { doctor } from './doctor/doctor.ts';
import { documents } from './config/documents.ts';
import { events } from './messages/events.ts';
import { hideSecrets } from './request/hide-secrets.ts';
import { withManyOutboxes } from '../outbox/many-outboxes.ts';
import { incidents } from './messages/incidents.ts';
import { manyOf } from './many.ts';
import { messages } from './messages/messages.ts';
import { managed } from './config/managed.ts';
import { metrics } from './metrics.ts';
import { openapi } from './openapi.ts';
import { operate } from './messages/operate.ts';
import { pair } from './config/pair.ts';
import { retryMany } from './messages/retry-many.ts';
import { silences } from './config/silences.ts';
import { preview } from './preview/preview.ts';
import { providerRoutes } from './config/providers.ts';
import { replay } from './messages/replay.ts';
import { sessions, signIn } from './sessions.ts';
import { replayMany } from './messages/replay-many.ts';
import { statsRoute } from './stats.ts';
import { tail } from './tail.ts';

/** `/admin/api/v1`: everything behind a login, except for signing in and the API's description. */
export const admin = new Hono<{ Bindings: Env; Variables: AdminVariables }>();

admin.route('/', openapi);
admin.use('*', async (context, next) => {
  await next();
  // Payloads and phone numbers: no cache on the way may keep them.
  context.res.headers.set('cache-control', 'no-store');
});
admin.use('*', hideSecrets);
admin.route('/', signIn);
admin.route('/', manyOf(admin));
admin.use('*', requireAdmin);
admin.use('*', (context, next) => {
  context.env = withManyOutboxes(context.env);
  return next();
});
for (const part of [
  accounts,
  config,
  managed,
  doctor,
  pair,
  preview,
  silences,
  documents,
  events,
  incidents,
  operate,
  retryMany,
  cancelMany,
  replay,
  replayMany,
  messages,
  metrics,
  statsRoute,
  providerRoutes,
  sessions,
  tail,
])
  admin.route('/', part);
