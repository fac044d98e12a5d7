import { publicRoute, type ApiRoutes } from './api/route.ts';
import { asset, pageHeaders } from './request/asset.ts';

/**
 * The API's description, for programs and for people. It is the same for every deployment, so it needs no login. Both
 * forms are static assets: `openapi.json` is committed, and `npm ci` builds the page.
 */
export const openapiRoutes = {
  getOpenApi: publicRoute({
    method: 'GET',
    path: '/openapi.json',
    handle: ({ env, request }) =>
      asset(request, env, '/admin/openapi.json', {
        headers: { 'content-type': 'application/json' },
        missing: MISSING,
      }),
  }),

  /** The page has no script. Its policy allows inline styles and images only. */
  getDocs: publicRoute({
    method: 'GET',
    path: '/docs',
    handle: ({ env, request }) =>
      asset(request, env, '/admin/docs', {
        headers: pageHeaders("style-src 'unsafe-inline'; img-src data:"),
        missing: MISSING,
      }),
  }),
} satisfies ApiRoutes;

const MISSING =
  'The description has not been deployed with the Worker: `npm run deploy` builds and deploys it.';
