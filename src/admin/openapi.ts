import { Hono } from 'hono/tiny';
import { asset, pageHeaders } from './request/asset.ts';

/**
 * The API's description, for programs and for people. It is the same for every deployment, so it needs no token. Both
 * are static assets: `openapi.json` is committed, and `npm ci` builds the page.
 */
export const openapi = new Hono<{ Bindings: Env }>();

openapi.get('/openapi.json', (context) =>
  asset(context, '/admin/openapi.json', { 'content-type': 'application/json' }, MISSING),
);

/** The page has no script, and its policy names its only style. */
openapi.get('/docs', (context) =>
  asset(context, '/admin/docs', pageHeaders("style-src 'unsafe-inline'; img-src data:"), MISSING),
);

const MISSING = 'The description was not deployed with the Worker: `npm run deploy` builds and deploys it.';
