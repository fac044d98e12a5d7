import type * as z from 'zod/mini';
import { VERSION } from '../lib/version.ts';
import { words } from '../registry/view.ts';
import { listOf, someText, strictDocument } from '../schema/parts.ts';
import { apiRoute, type ApiRoutes } from './api/route.ts';

/** In KV, whose writes a send does not pay for. It is read by people only, who may be a minute late. */
const KEY = 'newest-release';

/** A hookbell that is newer than a relay, as the command line has reported it. */
const newest = strictDocument({
  version: someText(64),
  since: someText(64),
  changes: listOf(someText(200), 'changes', { max: 50 }),
});

/** The newest hookbell that the relay knows of. It asks no registry: the command line reports it. */
export const releaseRoutes = {
  readRelease: apiRoute({
    method: 'GET',
    path: '/release',
    role: 'viewer',
    view: { version: 'words', newest: words('version', 'since', 'changes') },
    handle: async ({ env }) => ({
      version: VERSION,
      newest: await env.CONFIG.get<z.output<typeof newest>>(KEY, 'json'),
    }),
  }),

  setRelease: apiRoute({
    method: 'PUT',
    path: '/release',
    role: 'editor',
    body: newest,
    handle: async ({ env, body }) => {
      await env.CONFIG.put(KEY, JSON.stringify(body));
      return body;
    },
  }),
} satisfies ApiRoutes;
