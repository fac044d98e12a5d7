import type { Examples } from '../spec.ts';

const DONE = {
  card: 'incidents:monitor',
  mark: 1_795_000_000_000,
  by: 'anna@example.com',
  at: '2026-11-21T07:45:40.120Z',
};

const NEWEST = { version: '0.2.0', since: '0.1.0', changes: ['Silences by hand', 'A new provider'] };

export const operationExamples = {
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
