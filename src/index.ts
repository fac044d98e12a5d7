import { app } from './app.ts';
import type { Env } from './env.ts';
import { sweepOutboxes } from './sweep.ts';

export { Registry } from './config/registry.ts';
export { Outbox } from './outbox/outbox.ts';

export default {
  fetch: app.fetch,
  scheduled: (_controller, env) => sweepOutboxes(env),
} satisfies ExportedHandler<Env>;
