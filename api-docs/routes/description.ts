import { openapiRoutes } from '../../src/admin/openapi.ts';
import { described } from '../spec.ts';

/** This description. It is the same for every deployment, so nobody has to have a token to read it. */
export const descriptionSpecs = described(openapiRoutes, {
  getOpenApi: {
    tag: 'description',
    summary: 'Read the OpenAPI document',
    answer: {
      description: 'OpenAPI 3.1.',
      mediaType: 'application/json',
      headers: { ETag: 'Changes when the description does.' },
    },
    problems: ['unavailable'],
  },
});
