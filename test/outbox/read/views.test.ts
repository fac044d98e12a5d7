import { describe, expect, it } from 'vitest';
import { messageId, type MessageRow } from '../../../src/outbox/state/message.ts';
import { eventSummary, messageView, type EventRow } from '../../../src/outbox/read/views.ts';
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
const FACTS = { tag: TAG, account: 'sales', sending: false };
const AT = new Date(START).toISOString();
const LATER = new Date(START + MINUTE).toISOString();

describe('a message as it is shown', () => {
  it('has everything under the names of the API, and nothing of the table', () => {
    expect(messageView(ROW, FACTS)).toEqual({
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
  });

  it('without a receiver has none among its parameters', () => {
    const view = messageView({ ...ROW, kind: 'status', phone: null }, FACTS);
    expect(view.phone).toBeNull();
    expect(view.params).toEqual({ message: 'hello' });
  });

  it.each([
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
  ])('names the messages before and after it: %j', (fallback, shown) => {
    expect(messageView({ ...ROW, fallback: JSON.stringify(fallback) }, FACTS)).toMatchObject(shown);
  });

  it('shows its attempts with readable times', () => {
    const attempt = {
      n: 1,
      at: START,
      duration_ms: 5,
      outcome: 'server_error',
      http_status: 500,
      response: 'no',
    };
    const row: MessageRow = {
      ...ROW,
      state: 'retrying',
      reason: 'it failed',
      next_at: START + MINUTE,
      attempts: JSON.stringify([attempt]),
    };
    expect(messageView(row, FACTS)).toMatchObject({
      state: 'retrying',
      reason: 'it failed',
      next_attempt_at: LATER,
      attempts: [{ ...attempt, at: AT }],
    });
  });

  it('says what it waits for, and when its receiver may have it', () => {
    const wait = { for: 'receiver', until: START + MINUTE, per_hour: 30 } as const;
    expect(messageView(ROW, { ...FACTS, wait })).toMatchObject({
      waits: { for: 'receiver', until: LATER, per_hour: 30 },
      next_attempt_at: LATER,
    });
    const paced = messageView(ROW, { ...FACTS, wait: { for: 'turn' } });
    expect(paced.waits).toEqual({ for: 'turn' });
    expect(paced).not.toHaveProperty('next_attempt_at');
  });

  it('is `sending` while its call is under way, with no next attempt', () => {
    const view = messageView({ ...ROW, next_at: START }, { ...FACTS, sending: true });
    expect(view.state).toBe('sending');
    expect(view).not.toHaveProperty('next_attempt_at');
  });

  it('says when it was sent', () => {
    expect(messageView({ ...ROW, state: 'sent', sent_at: START + MINUTE }, FACTS).sent_at).toBe(LATER);
  });

  it('shows what people did to it', () => {
    const actions = JSON.stringify([{ action: 'cancel', by: 'token', at: START }]);
    expect(messageView({ ...ROW, actions }, FACTS).actions).toEqual([
      { action: 'cancel', by: 'token', at: AT },
    ]);
  });
});

describe('an event as a list shows it', () => {
  const row: EventRow = {
    id: 'evt_1',
    source: 'shop',
    type: null,
    subject: null,
    state: 'routed',
    reason: null,
    received_at: START,
    dedupe_key: null,
    duplicates: 0,
    payload: '{"secret":1}',
    headers: '{}',
    query: '{}',
    first_message: 1,
    message_count: 1,
    config_version: 3,
    stored: 1,
    replay_of: null,
    replayed_by: null,
    home: 1,
    items: '[]',
  };

  it('has no payload, and leaves out what it has not', () => {
    expect(eventSummary(row)).toEqual({
      id: 'evt_1',
      source: 'shop',
      type: null,
      state: 'routed',
      received_at: AT,
      duplicates: 0,
      config_version: 3,
      stored: true,
    });
  });

  it('has its reason, its dedupe key and what it is a replay of', () => {
    const full: EventRow = {
      ...row,
      state: 'failed',
      reason: 'no phone',
      dedupe_key: 'k',
      replay_of: 'evt_0',
    };
    expect(eventSummary(full)).toMatchObject({
      state: 'failed',
      reason: 'no phone',
      dedupe_key: 'k',
      replay_of: 'evt_0',
    });
  });
});
