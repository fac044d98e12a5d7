import { type Examples, prose } from '../spec.ts';
import { diagnosis } from '../../src/admin/doctor/api-check.ts';
import { many } from '../../src/admin/api-many.ts';
import { series, stats } from '../../src/metrics/api-stats.ts';
import { frame } from '../../src/outbox/answers/api-frame.ts';

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
  many: {
    many: {
      items: [
        { path: '/stats', status: 200, body: { sources: {}, accounts: {} } },
        { path: '/status', status: 200, body: { items: [], next_cursor: null } },
      ],
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
  readMany: {
    summary: 'Read several things at once',
    description:
      'For a page or a program that shows several things: each path is answered like a `GET` of its own, and needs the same login.',
    query: {
      paths: ['Paths below `/admin/api/v1` with their queries, with a space between them.', '/stats /status'],
    },
    answer: {
      description: 'The responses, in the order of the paths.',
      schema: many,
      examples: operationExamples.many,
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
    summary: 'Watch what happens',
    description:
      'Opens a WebSocket: send `Upgrade: websocket`. Each frame is a `Frame` as JSON, the first a `hello`. Send `ping` every 5 seconds and read what comes: a client that does not is disconnected.',
    query: {
      source: 'Only what is about this source.',
      type: 'Only frames of this type.',
    },
    answer: { status: 101, description: 'Frames follow.' },
    frames: frame,
    problems: ['upgrade-required', 'too-many-watchers'],
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
