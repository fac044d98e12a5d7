import * as z from 'zod/mini';
import { NOWHERE, problemResponse } from '../lib/problem.ts';
import { publicRoute, type ApiRoutes } from './api/route.ts';
import { withLoginOf } from './auth/auth.ts';

/** The maximum number of parts in one request. Each part may call every outbox. */
const MAX_PATHS = 12;

const TOO_MANY = `must be 1 to ${MAX_PATHS} paths below /admin/api/v1, separated by spaces, such as \`/stats /status\``;

/** Marks a request as a part of another. */
const PART = 'hookbell-part';

/** Answers a part. */
type Ask = (request: Request, env: Env) => Response | Promise<Response>;

/**
 * Answers several `GET`s in one request. `ask` checks the login of each part, so the request as a whole needs no login.
 * A page can find out that nobody is signed in without a failed request.
 */
export const manyRoutes = (ask: Ask) =>
  ({
    readMany: publicRoute({
      method: 'GET',
      path: '/many',
      query: {
        paths: z
          .string({ error: TOO_MANY })
          .check(z.regex(new RegExp(`^/[^ ]+( /[^ ]+){0,${MAX_PATHS - 1}}$`), { error: TOO_MANY })),
      },
      handle: async ({ env, request, query }) => {
        const headers = new Headers(request.headers);
        // A part must not have parts: a short address could ask for thousands.
        if (headers.has(PART)) return problemResponse(NOWHERE);
        headers.set(PART, '1');
        // No part opens a WebSocket, since the combined answer cannot hold one.
        headers.delete('upgrade');
        const own = withLoginOf(request, env);
        const read = async (path: string) => {
          const answer = await ask(new Request(new URL(`/.${path}`, request.url), { headers }), own);
          const isJson = answer.headers.get('content-type')?.includes('json') ?? false;
          const body: unknown = isJson ? await answer.json() : null;
          return { path, status: answer.status, body };
        };
        return { items: await Promise.all(query.paths.split(' ').map(read)) };
      },
    }),
  }) satisfies ApiRoutes;
