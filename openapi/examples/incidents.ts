import type { Examples } from '../spec.ts';

const disk = {
  id: 'inc_YWxlcnRzL29uLWNhbGwvZGlzaw',
  account: 'default',
  source: 'alerts',
  route: 'on-call',
  key: 'disk',
  state: 'open',
  opened_at: '2026-11-21T07:38:18.714Z',
  heard_at: '2026-11-21T07:43:18.009Z',
  times: 2,
  flapping: false,
  event: 'evt_01m7ygnc6tevq7n99nkb7gx0s0',
};

const receiver = {
  phone: '4915112345678',
  state: 'told',
  message: 'msg_000000009hk7nd0g',
  told_at: '2026-11-21T07:38:48.720Z',
  items: { told: 1, waiting: 1 },
};

const shown = {
  ...disk,
  receivers: [
    {
      ...receiver,
      told: [
        {
          message: 'msg_000000009hk7nd0g',
          items: 1,
          state: 'sent',
          created_at: '2026-11-21T07:38:48.720Z',
          sent_at: '2026-11-21T07:38:48.791Z',
        },
      ],
    },
  ],
};

export const incidentExamples = {
  page: { page: { value: { items: [{ ...disk, receivers: [receiver] }], next_cursor: null } } },
  one: { incident: { value: shown } },
  closed: {
    closed: { value: { ...shown, state: 'closed', ended_at: '2026-11-21T07:51:02.310Z' } },
  },
} as const satisfies Record<string, Examples>;
