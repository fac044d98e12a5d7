import { providerQuery } from '../../src/admin/config/providers.ts';
import { providerExamples } from '../examples/providers.ts';
import { provider, providerPage } from '../schemas/providers.ts';
import { queryOf, type RouteSpec } from '../spec.ts';

/** What hookbell ships about kinds of sources. */
export const providerRoutes: readonly RouteSpec[] = [
  {
    method: 'get',
    path: '/providers',
    id: 'listProviders',
    tag: 'providers',
    summary: 'List providers',
    description: 'All of them at once: `next_cursor` is always null.',
    answers: {
      200: { description: 'All providers.', schema: providerPage, examples: providerExamples.page },
    },
    problems: ['invalid'],
  },
  {
    method: 'get',
    path: '/providers/{id}',
    id: 'getProvider',
    tag: 'providers',
    summary: 'Read a provider',
    query: queryOf(providerQuery, {
      locale: [
        'Of the source that it is for: texts come in its language if there are any, else in English.',
        'de-DE',
      ],
    }),
    answers: {
      200: {
        description: 'Its signature scheme, samples and starter routes.',
        schema: provider,
        examples: providerExamples.one,
      },
    },
    problems: ['invalid', 'not-found'],
  },
];
