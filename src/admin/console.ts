import { Hono } from 'hono/tiny';
import { asset } from './request/asset.ts';

/**
 * The console: one page for every address under `/admin` but those of the API. Its scripts and styles are static assets
 * under `/console/assets`, which the Worker does not see; their headers are in `assets/_headers`.
 */
export const consolePage = new Hono<{ Bindings: Env }>();

consolePage.get('/admin/*', (context, next) =>
  /^\/admin\/api(\/|$)/.test(context.req.path)
    ? next()
    : asset(context.req.raw, context.env, '/console/', { headers: HEADERS, missing: MISSING }),
);

/** Forbids copies: a stored page would be shown without its policy. */
consolePage.get('/console/*', (context, next) =>
  context.req.path.startsWith('/console/assets/') ? next() : MOVED(),
);

const MOVED = (): Promise<Response> =>
  Promise.resolve(new Response(null, { status: 302, headers: { location: '/admin' } }));

/** The page loads and runs only its own scripts and styles, calls to this relay, and pictures inside the page. */
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

const MISSING =
  'The console has not been built: `npm run generate` builds it, and `npm run deploy` deploys it.';
