import { prose } from '../spec.ts';
import { provider, providerPage } from '../../src/admin/config/api-provider.ts';
import { documentProse } from './documents.ts';

const asDocuments = documentProse('providers');

/** The providers of the configuration, and those that hookbell ships. */
export const providerProse = prose('providers', {
  listProviders: {
    summary: 'List providers',
    description:
      'Those of this configuration first, then those that are built in. All of them at once: `next_cursor` is always null.',
    answer: { description: 'All providers.', schema: providerPage },
  },
  getProvider: {
    summary: 'Read a provider',
    query: {
      locale: [
        'The `locale` of the source. Texts are in its language if there are any, else in English.',
        'de-DE',
      ],
    },
    answer: { description: 'Its signature scheme, samples and starter routes.', schema: provider },
    problems: ['not-found'],
  },
  putProvider: asDocuments.write,
  deleteProvider: asDocuments.remove,
});
