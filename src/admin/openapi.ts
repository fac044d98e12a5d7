import { publicRoute, type ApiRoutes } from './api/route.ts';
import { asset } from './request/asset.ts';

/** The API's description: a static asset, the same for every deployment, so it needs no login. */
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
} satisfies ApiRoutes;

const MISSING =
  'The description has not been deployed with the Worker: `npm run deploy` builds and deploys it.';
