import { manyRoute } from '../../src/admin/admin.ts';
import { doctorRoutes } from '../../src/admin/doctor/doctor.ts';
import { doneRoutes } from '../../src/admin/done.ts';
import { metricsRoutes } from '../../src/admin/metrics.ts';
import { releaseRoutes } from '../../src/admin/release.ts';
import { statsRoutes } from '../../src/admin/stats.ts';
import { tailRoutes } from '../../src/admin/tail.ts';
import * as z from 'zod';
import { operationExamples } from '../examples/operations.ts';
import { diagnosis } from '../../src/admin/doctor/api-check.ts';
import { many } from '../../src/admin/api-many.ts';
import { newestRelease, release } from '../../src/admin/api-release.ts';
import { series, stats } from '../../src/metrics/api-stats.ts';
import { frame } from '../../src/outbox/answers/api-frame.ts';
import { done, donePage } from '../../src/registry/api-done.ts';
import { described } from '../spec.ts';

/** The state of the relay itself. */
export const operationSpecs = described(
  {
    ...doctorRoutes,
    ...doneRoutes,
    ...releaseRoutes,
    ...manyRoute,
    ...statsRoutes,
    ...metricsRoutes,
    ...tailRoutes,
  },
  {
    diagnose: {
      tag: 'operations',
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
      tag: 'operations',
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
      tag: 'operations',
      summary: 'List the console cards marked as done',
      description: 'The console’s first page hides them for everybody until the problem occurs again.',
      answer: {
        description: 'The cards, newest first.',
        schema: donePage,
        examples: operationExamples.donePage,
      },
    },
    setDone: {
      tag: 'operations',
      summary: 'Mark a card of the console as done',
      body: operationExamples.newDone,
      answer: {
        description: 'The card is hidden for everybody who is signed in.',
        schema: done,
        examples: operationExamples.done,
      },
    },
    undoDone: {
      tag: 'operations',
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
      tag: 'operations',
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
      tag: 'operations',
      summary: 'Report a newer release of hookbell',
      body: operationExamples.newestRelease,
      answer: {
        description: 'The console shows it while the relay is older.',
        schema: newestRelease,
        examples: operationExamples.newestRelease,
      },
    },
    readMany: {
      tag: 'operations',
      summary: 'Read several things at once',
      description:
        'For a page or a program that shows several things: each path is answered like a `GET` of its own, and needs the same login.',
      query: {
        paths: [
          'Paths below `/admin/api/v1` with their queries, with a space between them.',
          '/stats /status',
        ],
      },
      answer: {
        description: 'The responses, in the order of the paths.',
        schema: many,
        examples: operationExamples.many,
      },
    },
    getStats: {
      tag: 'operations',
      summary: 'Read counters',
      description: 'The counters of `/metrics` for people and programs.',
      answer: {
        description: 'Counters by source and account.',
        schema: stats,
        examples: operationExamples.stats,
      },
    },
    getSeries: {
      tag: 'operations',
      summary: 'Read counters over time',
      description:
        'One metric in steps, over all accounts unless the query names one. `failed`: messages that became dead, expired or uncertain. The last seven days are available, in at most 2,016 steps of five minutes or a multiple of that.',
      query: {
        metric: ['The metric.', 'sent'],
        from: [
          'When the series begins: a time, or how long ago. A day before `to` if it is left out.',
          '24h',
        ],
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
      tag: 'operations',
      summary: 'Read metrics for Prometheus',
      answer: { description: "Prometheus's text format.", mediaType: 'text/plain' },
    },
    tail: {
      tag: 'operations',
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
  },
);
