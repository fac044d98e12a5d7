import { app } from './app.ts';
import { secretValues, type Env } from './env.ts';
import { hideFromLogs } from './lib/log.ts';

export { Registry } from './config/registry.ts';
export { Outbox } from './outbox/outbox.ts';

export default {
  fetch: (request, env, ctx) => {
    hideFromLogs(() => secretValues(env));
    return app.fetch(request, env, ctx);
  },
} satisfies ExportedHandler<Env>;
