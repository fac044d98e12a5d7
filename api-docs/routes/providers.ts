import { type Examples, prose } from '../spec.ts';
import { provider, providerPage } from '../../src/admin/config/api-provider.ts';
import { documentProse } from './documents.ts';

const providerExamples = {
  page: {
    page: {
      items: [
        { id: 'stripe', name: 'Stripe', category: 'payments', signs: true },
        { id: 'alertmanager', name: 'Alertmanager', category: 'alerts', signs: false },
      ],
      next_cursor: null,
    },
  },
  one: {
    alertmanager: {
      id: 'alertmanager',
      name: 'Alertmanager',
      category: 'alerts',
      verify: null,
      event_type: ['body:status'],
      dedupe: [],
      docs_url: 'https://prometheus.io/docs/alerting/latest/configuration/',
      confidence: { level: 'verified', note: 'The shape of the body is documented.' },
      setup: 'Add a receiver with `webhook_configs` whose `url` is the address of the source.',
      secret: { name: 'ALERTMANAGER_TOKEN', hint: 'A long random text that you make up.' },
      source: { verify: { scheme: 'token', in: 'header', name: 'Authorization', prefix: 'Bearer ' } },
      language: 'en',
      samples: [
        {
          name: 'firing',
          content_type: 'application/json',
          headers: {},
          query: {},
          body: '{"status":"firing","alerts":[{"labels":{"alertname":"DiskFull"}}]}',
        },
      ],
      routes: [
        {
          name: 'firing',
          each: 'payload.alerts | where: "status", "firing"',
          to: 'on-call',
          send: { kind: 'text', message: '{{ item.labels.alertname }}' },
        },
      ],
    },
  },
} as const satisfies Record<string, Examples>;

const asDocuments = documentProse('providers');

/** The providers of the configuration, and those that hookbell ships. */
export const providerProse = prose('providers', {
  listProviders: {
    summary: 'List providers',
    description:
      'Those of this configuration first, then those that are built in. All of them at once: `next_cursor` is always null.',
    answer: { description: 'All providers.', schema: providerPage, examples: providerExamples.page },
  },
  getProvider: {
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
});
