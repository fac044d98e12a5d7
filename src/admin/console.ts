import { Hono } from 'hono/tiny';
import { publicRoute, type ApiRoutes } from './api/route.ts';
import { problemResponse, UNAVAILABLE } from '../lib/problem.ts';

/** One page for every address under `/admin` but those of the API. The Worker does not see its scripts and styles. */
export const consolePage = new Hono<{ Bindings: Env }>();

consolePage.get('/admin/*', (context, next) =>
  /^\/admin\/api(\/|$)/.test(context.req.path)
    ? next()
    : asset(context.req.raw, context.env, '/console/', HEADERS, NO_CONSOLE),
);

/** Forbids copies: a stored page would be shown without its policy. */
consolePage.get('/console/*', async (context, next) =>
  context.req.path.startsWith('/console/assets/') ? next() : context.redirect('/admin'),
);

/** The page loads and runs only its own scripts and styles, calls to this relay, and pictures inside the page. */
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

const NO_CONSOLE =
  'The console has not been built: `npm run generate` builds it, and `npm run deploy` deploys it.';

/** The API's description: a static asset, the same for every deployment, so it needs no login. */
export const openapiRoutes = {
  getOpenApi: publicRoute('GET /openapi.json', {
    handle: ({ env, request }) =>
      asset(request, env, '/admin/openapi.json', { 'content-type': 'application/json' }, NO_DESCRIPTION),
  }),
} satisfies ApiRoutes;

const NO_DESCRIPTION =
  'The description has not been deployed with the Worker: `npm run deploy` builds and deploys it.';

async function asset(
  request: Request,
  env: Env,
  path: string,
  headers: Readonly<Record<string, string>>,
  missing: string,
) {
  const known = request.headers.get('if-none-match');
  const asked = { headers: known === null ? {} : { 'if-none-match': known } };
  const found = await env.ASSETS.fetch(`https://assets.invalid${path}`, asked);
  if (!found.ok && found.status !== 304) return problemResponse({ ...UNAVAILABLE, detail: missing });
  const etag = found.headers.get('etag');
  // The next deploy replaces it.
  const kept = { 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' };
  return new Response(found.body, {
    status: found.status,
    headers: { ...headers, ...(etag !== null && { etag }), ...kept },
  });
}
