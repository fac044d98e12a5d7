import { prose } from '../spec.ts';
import { diagnosis } from '../../src/admin/doctor/api-check.ts';
import { series, stats } from '../../src/metrics/api-stats.ts';
import { tail } from '../../src/outbox/answers/api-tail.ts';

export const operationProse = prose('operations', {
  diagnose: {
    summary: 'Find problems',
    description:
      'Checks everything that can be wrong with the deployment: secrets, the configuration, queues, silent sources, rejections.',
    answer: { description: 'The results of the checks.', schema: diagnosis },
  },
  examine: {
    summary: 'Find problems, and call the gateways',
    description:
      'Runs the same checks, and calls the gateway of each account once, with its login and nothing to send.',
    answer: { description: 'The results of the checks.', schema: diagnosis },
  },
  getStats: {
    summary: 'Read counters',
    description: 'The counters of `/metrics` for people and programs.',
    answer: { description: 'Counters by source and account.', schema: stats },
  },
  getSeries: {
    summary: 'Read counters over time',
    description:
      'One metric in steps, over all accounts unless the query names one. `failed`: messages that became dead, expired or uncertain. The last seven days are available, in at most 2,016 steps of five minutes or a multiple of that.',
    query: {
      metric: ['The metric.', 'sent'],
      from: ['When the series begins: a time, or how long ago. A day before `to` if it is left out.', '24h'],
      to: 'When it ends: a time, or how long ago. Now if it is left out.',
      step: [
        'The length of a step, such as `5m` or `1h`. By default `5m` for a series of up to a day, else `1h`.',
        '1h',
      ],
      account: 'Only of this account. Not with `rejected`.',
      source: 'Only of this source.',
    },
    answer: { description: 'A point for each step.', schema: series },
  },
  getMetrics: {
    summary: 'Read metrics for Prometheus',
    answer: { description: "Prometheus's text format.", mediaType: 'text/plain' },
  },
  tail: {
    summary: 'Read what has changed',
    description:
      'The changes of all accounts since the last request: the events that came, the messages that reached another state, and the rejections, each once, as it is now. Ask again with the `cursor`. Without one, it returns those of the last ten seconds. An outbox keeps 200 in memory, for as long as it runs: where `missed` is true, read the lists.',
    query: {
      source: 'Only what is about this source.',
      type: 'Only changes of this type.',
      cursor: 'The `cursor` of the last answer.',
    },
    answer: { description: 'The changes.', schema: tail },
  },
});

/** This description. It is the same for every deployment, so nobody has to have a token to read it. */
export const descriptionProse = prose('description', {
  getOpenApi: {
    summary: 'Read the OpenAPI document',
    answer: {
      description: 'OpenAPI 3.1.',
      mediaType: 'application/json',
      headers: { ETag: 'Changes when the description does.' },
    },
    problems: ['unavailable'],
  },
});
