import * as z from 'zod/mini';
import { NOWHERE, problemResponse } from '../lib/problem.ts';
import { publicRoute, type ApiRoutes } from './api/route.ts';
import { withLoginOf } from './auth/auth.ts';

/** The parts that one request may read; each may ask every outbox. */
const MAX_PATHS = 12;

const TOO_MANY = `must be 1 to ${MAX_PATHS} paths below /admin/api/v1, separated by spaces, such as \`/stats /status\``;

/** Marks a request as a part of another. */
const PART = 'hookbell-part';

/** Answers a part. */
type Ask = (request: Request, env: Env) => Response | Promise<Response>;

/**
 * Answers several `GET`s in one request. `ask` answers each part, after a login of its own. So the whole needs none, and a
 * page learns without a failed request that nobody is signed in.
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
        // Parts have no parts, or a short address could ask for thousands.
        if (headers.has(PART)) return problemResponse(NOWHERE);
        headers.set(PART, '1');
        // No WebSocket is opened on the way: the answer has no place for it.
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
