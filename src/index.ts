import { app } from './app.ts';
import { secretValues } from './lib/secret.ts';
import { hideFromLogs } from './lib/log.ts';

export { Registry } from './registry/registry.ts';
export { Outbox } from './outbox/outbox.ts';

export default {
  fetch: (request, env, ctx) => {
    hideFromLogs(() => secretValues(env));
    return app.fetch(request, env, ctx);
  },
} satisfies ExportedHandler<Env>;
