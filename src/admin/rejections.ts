import { registry } from '../config/registry-client.ts';
import { apiRoute, type ApiRoutes } from './api/route.ts';
import { numberedPage, numberedQuery } from './request/pages.ts';

/** Webhooks that were refused. */
export const rejectionRoutes = {
  listRejections: apiRoute({
    method: 'GET',
    path: '/rejections',
    role: 'viewer',
    view: 'words',
    query: numberedQuery,
    handle: async ({ env, query: { limit, cursor = null } }) => {
      const found = await registry(env).rejections(limit + 1, cursor);
      const page = numberedPage(found, limit, ({ n }) => n);
      return { ...page, items: page.items.map(({ n, entry }) => ({ n, ...entry })) };
    },
  }),
} satisfies ApiRoutes;
