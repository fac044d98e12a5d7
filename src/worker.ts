import { app } from './app.ts';
import { drainUnread } from './lib/drain.ts';
import { secretValues } from './lib/secret.ts';
import { hideFromLogs } from './lib/log.ts';

export { Registry } from './registry/registry.ts';
export { Outbox } from './outbox/outbox.ts';

export default {
  fetch: async (request, env, ctx) => {
    hideFromLogs(() => secretValues(env));
    const response = await app.fetch(request, env, ctx);
    // Refused before its body was read.
    await drainUnread(request);
    return response;
  },
} satisfies ExportedHandler<Env>;
