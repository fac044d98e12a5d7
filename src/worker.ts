import { app } from './app.ts';
import { drainUnread } from './lib/body.ts';
import { objectPlace, placed } from './lib/bindings.ts';
import { problemResponse, UNAVAILABLE } from './lib/problem.ts';
import { logFor } from './lib/log.ts';

export { Registry } from './registry/registry.ts';
export { Outbox } from './outbox/outbox.ts';

export default {
  fetch: async (request, env, ctx) => {
    logFor(env);
    const place = objectPlace(env);
    const response = place.ok
      ? await app.fetch(request, placed(env), ctx)
      : problemResponse({ ...UNAVAILABLE, detail: place.error });
    // The request was refused before its body was read.
    await drainUnread(request);
    return response;
  },
} satisfies ExportedHandler<Env>;
