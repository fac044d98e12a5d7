import { Hono } from 'hono/tiny';
import * as z from 'zod/mini';
import { withLoginOf, type AdminVariables } from './auth/auth.ts';
import { checkQuery } from './request/input.ts';

/** What a request may read at once; each part may ask every outbox. */
const MAX_PATHS = 12;

const TOO_MANY = `must be 1 to ${MAX_PATHS} paths below /admin/api/v1, with a space between them, such as \`/stats /status\``;

/** The query of `GET /many`. */
export const manyQuery = {
  paths: z
    .string({ error: TOO_MANY })
    .check(z.regex(new RegExp(`^/[^ ]+( /[^ ]+){0,${MAX_PATHS - 1}}$`), { error: TOO_MANY })),
};

/** Marks a request as a part of another. */
const PART = 'hookbell-part';

type Api = Hono<{ Bindings: Env; Variables: AdminVariables }>;

/**
 * `GET /many`: what several `GET`s answer, in one request. `api` has their routes, and each of them needs a login: so this
 * needs none itself, and a page learns without a failed request that nobody is signed in.
 */
export function manyOf(api: Api): Api {
  const many: Api = new Hono();
  many.get('/many', async (context) => {
    const query = checkQuery(manyQuery, context);
    if (!query.ok) return query.error;
    const headers = new Headers(context.req.raw.headers);
    // Parts have no parts, or a short address could ask for thousands.
    if (headers.has(PART)) return context.notFound();
    headers.set(PART, '1');
    // No WebSocket is opened on the way: the answer has no place for it.
    headers.delete('upgrade');
    const env = withLoginOf(context.req.raw, context.env);
    const read = async (path: string) => {
      const request = new Request(new URL(`/.${path}`, context.req.url), { headers });
      const answer = await api.fetch(request, env);
      const isJson = answer.headers.get('content-type')?.includes('json') ?? false;
      return { path, status: answer.status, body: isJson ? await answer.json() : null };
    };
    return context.json({ items: await Promise.all(query.value.paths.split(' ').map(read)) });
  });
  return many;
}
