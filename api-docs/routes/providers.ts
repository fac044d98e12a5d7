import { providerRoutes } from '../../src/admin/config/providers.ts';
import { providerExamples } from '../examples/providers.ts';
import { provider, providerPage } from '../../src/admin/config/api-provider.ts';
import { documentRoutes } from '../../src/admin/config/documents.ts';
import { documentProse } from './documents.ts';
import { described } from '../spec.ts';

const { write, remove } = documentRoutes.providers;
const asDocuments = documentProse('providers');

/** The providers of the configuration, and those that hookbell ships. */
export const providerSpecs = described(
  { ...providerRoutes, putProvider: write, deleteProvider: remove },
  {
    listProviders: {
      tag: 'providers',
      summary: 'List providers',
      description:
        'Those of this configuration first, then those that are built in. All of them at once: `next_cursor` is always null.',
      answer: { description: 'All providers.', schema: providerPage, examples: providerExamples.page },
    },
    getProvider: {
      tag: 'providers',
      summary: 'Read a provider',
      query: {
        locale: [
          'The `locale` of the source. Texts are in its language if there are any, else in English.',
          'de-DE',
        ],
      },
      answer: {
        description: 'Its signature scheme, samples and starter routes.',
        schema: provider,
        examples: providerExamples.one,
      },
      problems: ['not-found'],
    },
    putProvider: asDocuments.write,
    deleteProvider: asDocuments.remove,
  },
);
