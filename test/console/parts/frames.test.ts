import { describe, expect, test } from 'vitest';
import type { EventSummary, Frame, Message } from '../../../console/api/types.ts';
import {
  concernsEvents,
  concernsMessages,
  eventAfter,
  eventOf,
  messageAfter,
  messageOf,
} from '../../../console/parts/frames.ts';

const AT = '2026-11-22T10:00:00.000Z';

const message: Message = {
  id: 'msg_000000005sm8g9c9',
  event: 'evt_01m82pnqqvbmebx8aaydw8v15n',
  source: 'shop',
  route: 'paid',
  account: 'default',
  kind: 'text',
  phone: '4915112345678',
  params: { message: 'Hello' },
  state: 'retrying',
  reason: 'the gateway failed',
  attempts: [],
  next_attempt_at: AT,
  waits: { for: 'retry', attempt: 2, of: 8 },
  created_at: AT,
  config_version: 1,
};

const reported: Extract<Frame, { type: 'message' }> = {
  type: 'message',
  at: AT,
  message: message.id,
  event: message.event,
  source: 'shop',
  route: 'paid',
  kind: 'text',
  state: 'sent',
  account: 'default',
};

const event: EventSummary = {
  id: 'evt_01m82pnqqvbmebx8aaydw8v15n',
  source: 'shop',
  type: 'paid',
  state: 'routed',
  received_at: AT,
  duplicates: 0,
  config_version: 1,
  stored: true,
};

const came: Extract<Frame, { type: 'event' }> = {
  type: 'event',
  at: AT,
  event: event.id,
  source: 'shop',
  event_type: 'paid',
  state: 'routed',
  duplicate: true,
  account: 'default',
};

describe('a message after a frame', () => {
  test('has the new state, and no longer what it waited for and why', () => {
    const after = messageAfter(message, reported);
    expect(after).toMatchObject({ state: 'sent', sent_at: AT });
    expect(Object.keys(after)).not.toEqual(expect.arrayContaining(['waits']));
    expect(after.reason).toBeUndefined();
    expect(after.next_attempt_at).toBeUndefined();
  });

  test('is itself when the frame is about another one', () => {
    expect(messageAfter(message, { ...reported, message: 'msg_000000005sm8g9c0' })).toBe(message);
    expect(messageAfter(message, came)).toBe(message);
  });
});

test('an event that comes again has one duplicate more', () => {
  expect(eventAfter(event, came).duplicates).toBe(1);
  expect(eventAfter(event, { ...came, duplicate: false })).toBe(event);
});

test('a list is asked for again when a frame may be about what it shows', () => {
  expect(concernsEvents(came, {})).toBe(true);
  expect(concernsEvents(came, { source: 'shop', state: 'routed', type: 'paid' })).toBe(true);
  expect(concernsEvents(came, { source: 'other' })).toBe(false);
  expect(concernsEvents(came, { state: 'failed' })).toBe(false);
  expect(concernsEvents(reported, {})).toBe(false);
  expect(concernsMessages(reported, {})).toBe(true);
  // It may leave the list, or come to it, so its state does not matter.
  expect(concernsMessages(reported, { state: 'dead', phone: '49151' })).toBe(true);
  expect(concernsMessages(reported, { event: 'evt_other' })).toBe(false);
  expect(concernsMessages(came, {})).toBe(false);
  expect(concernsMessages({ type: 'dropped', count: 3 }, { source: 'shop' })).toBe(true);
});

test('a frame is about its message or its event, and about no row otherwise', () => {
  expect([messageOf(reported), eventOf(came)]).toEqual([message.id, event.id]);
  expect([messageOf(came), eventOf(reported)]).toEqual([null, null]);
});
