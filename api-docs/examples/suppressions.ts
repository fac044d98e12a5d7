import type { Examples } from '../spec.ts';

const one = {
  phone: '4915112345678',
  at: '2026-02-01T01:58:12.031Z',
  by: 'ada@example.com',
  reason: 'asked by phone',
};
const pressed = {
  phone: '4915112345679',
  at: '2026-02-01T01:12:40.500Z',
  by: '+4915•••••79',
  reason: 'No more messages',
  message: 'msg_000000001hk7nd0g',
};

export const suppressionExamples = {
  new: { asked: { value: { reason: one.reason } } },
  one: { one: { value: one } },
  page: { all: { value: { items: [one, pressed], next_cursor: null } } },
} as const satisfies Record<string, Examples>;
