import { type Examples, prose } from '../spec.ts';
import * as z from 'zod';
import { diagnosis } from '../../src/admin/doctor/api-check.ts';
import { many } from '../../src/admin/api-many.ts';
import { newestRelease, release } from '../../src/admin/api-release.ts';
import { series, stats } from '../../src/metrics/api-stats.ts';
import { frame } from '../../src/outbox/answers/api-frame.ts';
import { done, donePage } from '../../src/registry/api-done.ts';

const DONE = {
  card: 'incidents:monitor',
  mark: 1_795_000_000_000,
  by: 'anna@example.com',
  at: '2026-11-21T07:45:40.120Z',
};

const NEWEST = { version: '0.2.0', since: '0.1.0', changes: ['Silences by hand', 'A new provider'] };

const operationExamples = {
  doctor: {
    checks: {
      value: {
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
  },
  newDone: { one: { value: { card: 'incidents:monitor', mark: 1_795_000_000_000 } } },
  done: { one: { value: DONE } },
  donePage: { one: { value: { items: [DONE], next_cursor: null } } },
  undone: { one: { value: { card: 'incidents:monitor' } } },
  release: { older: { value: { version: '0.1.0', newest: NEWEST } } },
  newestRelease: { one: { value: NEWEST } },
  many: {
    many: {
      value: {
        items: [
          { path: '/stats', status: 200, body: { sources: {}, accounts: {} } },
          { path: '/status', status: 200, body: { items: [], next_cursor: null } },
        ],
      },
    },
  },
  series: {
    hours: {
      value: {
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
  },
  stats: {
    stats: {
      value: {
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
  listDone: {
    summary: 'List the console cards marked as done',
    description: 'The console’s first page hides them for everybody until the problem occurs again.',
    answer: {
      description: 'The cards, newest first.',
      schema: donePage,
      examples: operationExamples.donePage,
    },
  },
  setDone: {
    summary: 'Mark a card of the console as done',
    body: {
      name: 'NewDone',
      about: 'A card of the console’s first page that somebody has marked as done.',
      keys: {
        card: 'The subject of the card, such as `incidents:monitor`.',
        mark: 'A number that grows with each occurrence, such as a time in milliseconds. The card is shown again when its number is higher than this.',
      },
      examples: operationExamples.newDone,
    },
    answer: {
      description: 'The card is hidden for everybody who is signed in.',
      schema: done,
      examples: operationExamples.done,
    },
  },
  undoDone: {
    summary: 'Show a card of the console again',
    query: { card: ['The subject of the card.', 'incidents:monitor'] },
    answer: {
      description: 'It is shown again.',
      schema: z
        .object({ card: z.string() })
        .meta({ id: 'Undone', description: 'A card that is shown again.' }),
      examples: operationExamples.undone,
    },
    problems: ['not-found'],
  },
  readRelease: {
    summary: 'Read the newest known release of hookbell',
    description:
      'The relay does not look for newer versions itself: `hookbell doctor` and `hookbell push` report them to it.',
    answer: {
      description: 'The version of the relay, and the newest that was reported.',
      schema: release,
      examples: operationExamples.release,
    },
  },
  setRelease: {
    summary: 'Report a newer release of hookbell',
    body: {
      name: 'NewRelease',
      about: 'A version of hookbell that is newer than the relay.',
      keys: {
        version: 'The newest version that is known.',
        since: 'The version of the relay.',
        changes: 'The changes after `since`, as the changelog lists them.',
      },
      examples: operationExamples.newestRelease,
    },
    answer: {
      description: 'The console shows it while the relay is older.',
      schema: newestRelease,
      examples: operationExamples.newestRelease,
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
