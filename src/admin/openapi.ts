import type { Context } from 'hono';
import { Hono } from 'hono/tiny';
import { problemResponse, UNAVAILABLE } from '../lib/problem.ts';

type OpenApiContext = Context<{ Bindings: Env }>;

/**
 * The API's description, for programs and for people. It is the same for every deployment, so it needs no token. Both
 * are static assets: `openapi.json` is committed, and `npm ci` builds the page.
 */
export const openapi = new Hono<{ Bindings: Env }>();

openapi.get('/openapi.json', (context) =>
  asset(context, 'openapi.json', { 'content-type': 'application/json' }),
);

/** The page has no script, and its policy names its only style. */
openapi.get('/docs', (context) =>
  asset(context, 'docs', {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy':
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
  }),
);

async function asset(
  { env, req }: OpenApiContext,
  name: string,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const known = req.header('if-none-match');
  const found = await env.ASSETS.fetch(`https://assets.invalid/admin/${name}`, {
    headers: known === undefined ? {} : { 'if-none-match': known },
  });
  if (!found.ok && found.status !== 304) return MISSING();
  const etag = found.headers.get('etag');
  return new Response(found.body, {
    status: found.status,
    headers: {
      ...headers,
      ...(etag !== null && { etag }),
      // A deploy replaces it.
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
    },
  });
}

const MISSING = (): Response =>
  problemResponse({
    ...UNAVAILABLE,
    detail: 'The description was not deployed with the Worker: `npm run deploy` builds and deploys it.',
  });
