import type * as z from 'zod/mini';
import { VERSION } from '../lib/version.ts';
import { words } from '../registry/view.ts';
import { listOf, someText, strictDocument } from '../schema/parts.ts';
import { apiRoute, type ApiRoutes } from './api/route.ts';

/** In KV, so that it does not slow down sending. Only people read it, and they may get it a minute late. */
const KEY = 'newest-release';

/** A hookbell version that is newer than the relay, as the command line reported it. */
const newest = strictDocument({
  version: someText(64),
  since: someText(64),
  changes: listOf(someText(200), 'changes', { max: 50 }),
});

/**
 * The newest hookbell version that the relay knows of. The relay asks no package registry: the command line reports it.
 */
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
