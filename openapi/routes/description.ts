import type { RouteSpec } from '../spec.ts';

/** This description. It is the same for every deployment, so nobody has to have a token to read it. */
export const descriptionRoutes: readonly RouteSpec[] = [
  {
    method: 'get',
    path: '/openapi.json',
    id: 'getOpenApi',
    tag: 'description',
    summary: 'This description, for programs',
    isPublic: true,
    answers: {
      200: {
        description: 'OpenAPI 3.1.',
        mediaType: 'application/json',
        headers: { ETag: 'Changes when the description does.' },
      },
    },
    problems: ['unavailable'],
  },
  {
    method: 'get',
    path: '/docs',
    id: 'getDocs',
    tag: 'description',
    summary: 'This description, for people',
    isPublic: true,
    answers: {
      200: {
        description: 'A page without scripts.',
        mediaType: 'text/html',
        headers: { ETag: 'Changes when the description does.' },
      },
    },
    problems: ['unavailable'],
  },
];
