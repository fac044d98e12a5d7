import { expect, it } from 'vitest';
import { messageId, type MessageRow } from '../../../src/outbox/state/message.ts';
import { messageView } from '../../../src/outbox/read/views.ts';
import { messageSample } from '../samples.ts';
import { MINUTE, START, TAG } from '../support.ts';

const ROW = messageSample({
  seq: 12,
  event_id: 'evt_1',
  route: 'paid',
  phone: '4915112345601',
  created_at: START,
  config_version: 3,
});
const AT = new Date(START).toISOString();
const LATER = new Date(START + MINUTE).toISOString();

const view = (over: Partial<MessageRow>, facts: object = {}) =>
  messageView(messageSample({ ...ROW, ...over, seq: 12 }), {
    tag: TAG,
    account: 'sales',
    sending: false,
    ...facts,
  });

it('a message is shown under the names of the API, with nothing else of the table', () => {
  expect(view({})).toEqual({
    id: messageId(12, TAG),
    event: 'evt_1',
    source: 'shop',
    route: 'paid',
    account: 'sales',
    kind: 'text',
    phone: '4915112345601',
    params: { phone: '4915112345601', message: 'hello' },
    state: 'queued',
    attempts: [],
    created_at: AT,
    config_version: 3,
  });
  expect(view({ kind: 'status', phone: null })).toMatchObject({ phone: null, params: { message: 'hello' } });
});

it('a message shows what came of it, with readable times', () => {
  const attempt = {
    n: 1,
    at: START,
    duration_ms: 5,
    outcome: 'server_error',
    http_status: 500,
    response: 'no',
  };
  const attempts = JSON.stringify([attempt]);
  const retried = { state: 'retrying', reason: 'it failed' } as const;
  expect(view({ ...retried, next_at: START + MINUTE, attempts })).toMatchObject({
    ...retried,
    next_attempt_at: LATER,
    attempts: [{ ...attempt, at: AT }],
  });
  expect(view({ state: 'sent', sent_at: START + MINUTE }).sent_at).toBe(LATER);
  const action = { action: 'cancel', by: 'token' };
  const actions = JSON.stringify([{ ...action, at: START }]);
  expect(view({ actions }).actions).toEqual([{ ...action, at: AT }]);
});

it('a message names those before and after it', () => {
  const links: readonly (readonly [object, object])[] = [
    [{ to: { account: 'other' } }, { fallback_account: 'other' }],
    [{ to: { account: 'other', message: 'msg_2' } }, { fallback_account: 'other', fallback: 'msg_2' }],
    [
      { from: { account: 'other', message: 'msg_1' } },
      { fallback_of: 'msg_1', fallback_of_account: 'other' },
    ],
    [
      { of: 11, by: 13 },
      { fallback_of: messageId(11, TAG), fallback: messageId(13, TAG) },
    ],
  ];
  for (const [fallback, shown] of links)
    expect(view({ fallback: JSON.stringify(fallback) })).toMatchObject(shown);
});

it('a message says what it waits for, and when it is next tried, but not while its call is under way', () => {
  const wait = { for: 'receiver', until: START + MINUTE, per_hour: 30 };
  const waits = { for: 'receiver', until: LATER, per_hour: 30 };
  expect(view({}, { wait })).toMatchObject({ waits, next_attempt_at: LATER });
  const paced = view({}, { wait: { for: 'turn' } });
  expect(paced.waits).toEqual({ for: 'turn' });
  expect(paced).not.toHaveProperty('next_attempt_at');
  const sending = view({ next_at: START }, { sending: true });
  expect(sending.state).toBe('sending');
  expect(sending).not.toHaveProperty('next_attempt_at');
});
