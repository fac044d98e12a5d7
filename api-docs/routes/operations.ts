import { type Examples, prose } from '../spec.ts';
import { diagnosis } from '../../src/admin/doctor/api-check.ts';
import { series, stats } from '../../src/metrics/api-stats.ts';
import { tail } from '../../src/outbox/answers/api-tail.ts';

const operationExamples = {
  doctor: {
    checks: {
      version: '0.1.0',
      now: '2026-11-21T07:38:18.714Z',
      checks: [
        {
          id: 'secrets',
          status: 'ok',
          title: 'Secrets',
          code: 'secrets-set',
          params: { secrets: '3' },
          detail: '3 secrets needed, all are set',
        },
        {
          id: 'secret:SHOP_WEBHOOK_SECRET',
          status: 'fail',
          title: 'Secret SHOP_WEBHOOK_SECRET',
          code: 'secret-missing',
          params: { name: 'SHOP_WEBHOOK_SECRET', used_by: 'source shop' },
          detail: 'is not set, and source shop cannot work without it',
          remedy: 'npx wrangler secret put SHOP_WEBHOOK_SECRET',
        },
      ],
    },
  },
  tail: {
    sent: {
      items: [
        {
          type: 'message',
          at: '2026-11-21T08:00:01.250Z',
          message: 'msg_01kajfz2y8q3vw9e',
          event: 'evt_01kajfz2y8q3vw9e5m7c1n4rt6',
          source: 'shop',
          route: 'paid',
          kind: 'text',
          state: 'sent',
          n: 1,
          outcome: 'sent',
          duration_ms: 212,
          http_status: 200,
          account: 'default',
        },
      ],
      cursor: '1795248001900-17',
      missed: false,
    },
  },
  series: {
    hours: {
      metric: 'sent',
      from: '2026-11-21T05:00:00.000Z',
      to: '2026-11-21T08:00:00.000Z',
      step_seconds: 3600,
      points: [
        { at: '2026-11-21T05:00:00.000Z', value: 41 },
        { at: '2026-11-21T06:00:00.000Z', value: 0 },
        { at: '2026-11-21T07:00:00.000Z', value: 97 },
      ],
      complete_from: '2026-11-14T08:00:00.000Z',
    },
  },
  stats: {
    stats: {
      sources: {
        shop: {
          account: 'default',
          events: { routed: 1204, unmatched: 31, failed: 2 },
          duplicates: 17,
          rejections: { stale: 3 },
          last_event_at: '2026-11-21T07:38:11.002Z',
          heartbeat: { expected: '1d', overdue: false },
        },
      },
      accounts: {
        default: {
          messages: {
            queued: 1239,
            sent: 1236,
            retrying: 5,
            uncertain: 0,
            dead: 1,
            expired: 0,
            cancelled: 2,
            superseded: 0,
            suppressed: 0,
          },
          attempts: { sent: 1236, busy: 4, server_error: 2 },
          queue: { queued: 0, retrying: 0, sending: 0, uncertain: 0, dead: 1 },
          oldest_waiting_seconds: 0,
          latency_seconds: { median: 0.041, p95: 1.2 },
        },
      },
    },
  },
} as const satisfies Record<string, Examples>;

/** The state of the relay itself. */
export const operationProse = prose('operations', {
  diagnose: {
    summary: 'Find problems',
    description:
      'Checks everything that can be wrong with the deployment: secrets, the configuration, queues, silent sources, rejections.',
    answer: {
      description: 'The results of the checks.',
      schema: diagnosis,
      examples: operationExamples.doctor,
    },
  },
  examine: {
    summary: 'Find problems, and call the gateways',
    description:
      'Runs the same checks, and calls the gateway of each account once, with its login and nothing to send.',
    answer: {
      description: 'The results of the checks.',
      schema: diagnosis,
      examples: operationExamples.doctor,
    },
  },
  getStats: {
    summary: 'Read counters',
    description: 'The counters of `/metrics` for people and programs.',
    answer: {
      description: 'Counters by source and account.',
      schema: stats,
      examples: operationExamples.stats,
    },
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
    answer: { description: 'A point for each step.', schema: series, examples: operationExamples.series },
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
    answer: { description: 'The changes.', schema: tail, examples: operationExamples.tail },
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
