import { expect, test } from 'vitest';
import type { EventDetail, Frame, Message } from '../../console/api/types.ts';
import {
  notificationsOf,
  replayCounts,
  routesOf,
  sentencesOf,
  stepsOf,
} from '../../console/pages/events/outcomes.ts';
import { concernsEvents, concernsMessages, messageAfter } from '../../console/lib/live.ts';
import { en } from '../../console/texts/en.ts';

const FROM = Date.parse('2026-03-01T06:30:00.000Z');
const at = (ms: number): string => new Date(FROM + ms).toISOString();
const AT = at(0);

const OF_SHOP = { id: 'msg_1', event: 'evt_1', source: 'shop', route: 'owners' };
const TEXT = { account: 'default', kind: 'text', phone: '4915112345678', params: {} } as const;
const SENT = { state: 'sent' as const, attempts: [], created_at: AT, config_version: 1 };
const message = (part: Partial<Message> = {}): Message => ({ ...OF_SHOP, ...TEXT, ...SENT, ...part });

const ROUTED = { type: null, state: 'routed', received_at: AT, duplicates: 0, config_version: 1 } as const;
const REST = { id: 'evt_1', stored: true, payload: null, headers: null, query: null, messages: [] };
const event = (part: Partial<EventDetail> = {}): EventDetail => ({
  source: 'shop',
  ...ROUTED,
  ...REST,
  ...part,
});

const timeOf = (at: string): string => at.slice(11, 16);
const ROUTES = [
  { name: 'owners', to: ['shop-owners'] },
  { name: 'thank', to: '{{ payload.phone }}' },
];
const say = (part: Partial<EventDetail>): string => sentencesOf(event(part), ROUTES, en, timeOf).join(' ');
const sayOf = (...messages: Partial<Message>[]): string =>
  say({ messages: messages.map((one) => message(one)) });

test('an event in a sentence says whom it notified and when, and whose number is not valid', () => {
  const reason = { code: 'number', route: 'thank', parameter: 'to', message: '"12" is no number' } as const;
  const failed = { state: 'partly_failed' as const, reason: 'no number', reasons: [reason] };
  const said = say({ ...failed, messages: [message({ sent_at: AT })] });
  expect(said).toMatch(/^Notified shop-owners \(06:30\)\. The number for thank is not valid/);
  expect(say({ state: 'unmatched' })).toBe(en.events.sentence.unmatched);
  expect(say({})).toBe(en.events.sentence.nothing);
});

const item = (index: number) => ({ route: 'on-call', index, phone: '4915112345678', message: 'msg_1' });

test('an event in a sentence counts items that were notified or silenced', () => {
  const items = [1, 2].map((index) => ({ ...item(index), outcome: 'notified' as const }));
  expect(say({ items })).toBe('Notified +4915112345678.');
  const held = [{ route: 'on-call', index: 1, outcome: 'silenced' as const, silence: 'sil_1' }];
  expect(say({ items: held })).toBe(en.events.sentence.items.silenced(1));
});

test('an event in a sentence says what waits, what may have arrived and what did not, and no more than that', () => {
  expect(sayOf({ state: 'queued' }, { state: 'dead', route: 'thank' })).toBe(
    'The message to shop-owners is waiting. The message to +4915112345678 was not delivered.',
  );
  expect(sayOf({ state: 'uncertain' })).toBe('The message to shop-owners may or may not have arrived.');
  for (const state of ['cancelled', 'suppressed'] as const)
    expect(sayOf({ state })).toBe('The message to shop-owners was not delivered.');
});

test('an event in a sentence calls no message lost whose fallback was sent, or is to be sent by another account', () => {
  const notified = /^Notified shop-owners \([^.]*\)\.$/;
  const sent = { id: 'msg_2', sent_at: AT };
  expect(sayOf({ state: 'dead', fallback: 'msg_2' }, sent)).toMatch(notified);
  expect(sayOf({ state: 'dead', fallback_account: 'telegram' })).toBe(
    'The message to shop-owners is waiting.',
  );
  const superseded = { state: 'superseded', fallback_account: 'telegram', fallback: 'msg_2' } as const;
  expect(sayOf(superseded, { ...sent, account: 'telegram' })).toMatch(notified);
});

/** A message with its attempts: when they began, and their outcomes. */
const tried = (
  part: Partial<Message>,
  ...attempts: readonly (readonly [number, 'sent' | 'busy' | 'rejected'])[]
) =>
  message({
    ...part,
    attempts: attempts.map(([ms, outcome], n) => ({ n, at: at(ms), duration_ms: 50, outcome })),
  });

test('the trip of an event is its webhook, each attempt in order, and what is still to come', () => {
  const messages = [
    tried({ phone: '1' }, [100, 'busy'], [5_000, 'sent']),
    tried({ phone: '2' }, [200, 'sent']),
    message({ phone: '3', state: 'queued' }),
  ];
  const trip = stepsOf({ received_at: AT, messages }, []);
  expect(trip.map(({ is, phone, at: time }) => [is, phone, time === null ? null : time - FROM])).toEqual([
    ['received', null, 0],
    ['failed', '1', 150],
    ['sent', '2', 250],
    ['sent', '1', 5_050],
    ['waits', '3', null],
  ]);
});

test('the trip of an event has the notifications of its items, whenever they are sent, and items that wait for theirs', () => {
  const items: EventDetail['items'] = [
    { route: 'alert', index: 1, phone: '1', outcome: 'notified', message: 'msg_1' },
    { route: 'alert', index: 2, phone: '1', outcome: 'notified', message: 'msg_1' },
    { route: 'alert', index: 1, phone: '2', outcome: 'waiting', waits: { for: 'quiet', until: at(9_000) } },
    { route: 'alert', index: 1, phone: '3', outcome: 'silenced', silence: 'maintenance' },
  ];
  expect(notificationsOf({ items })).toEqual(['msg_1']);
  const trip = stepsOf({ received_at: AT, messages: [], items }, [tried({ phone: '1' }, [3_000, 'sent'])]);
  expect(trip.map(({ is, phone, waits }) => [is, phone, waits?.for])).toEqual([
    ['received', null, undefined],
    ['sent', '1', undefined],
    ['waits', '2', 'quiet'],
  ]);
});

const NOTHING = { receivers: [], failures: [], messages: [] };
const preview = (route: string, result: 'matched' | 'not_matched' | 'failed', more = {}) => {
  return { route, result, ...NOTHING, ...more };
};

test('a route matched if it made messages or items wait, failed with why, and is unknown without a preview', () => {
  const configured = [{ name: 'paid' }];
  const routeOf = (part: Partial<EventDetail>, today: ReturnType<typeof preview>[] | null) =>
    routesOf(event(part), today, configured)[0];
  const made = { messages: [message({ route: 'paid' })] };
  const matched = { name: 'paid', result: 'matched', why: null, isThere: true };
  expect(routeOf(made, [preview('paid', 'not_matched', { why: 'amount is 3' })])).toMatchObject(matched);
  const items = [{ route: 'paid', index: 1, outcome: 'waiting' as const }];
  expect(routeOf({ items }, [preview('paid', 'matched')])).toMatchObject(matched);
  const failures = [
    { route: 'paid', parameter: 'to', expression: 'x', code: 'number', reason: 'no number' } as const,
  ];
  const failed = { result: 'failed', failures };
  expect(routeOf({}, [preview('paid', 'failed', { failures })])).toMatchObject(failed);
  expect(routeOf({}, null)).toMatchObject({ name: 'paid', result: null });
});

test('before a replay is counted who got it already and who did not, of the chosen routes', () => {
  const messages = [
    message({ id: 'msg_1', route: 'a' }),
    message({ id: 'msg_2', route: 'a', state: 'dead' }),
    message({ id: 'msg_3', route: 'b' }),
    message({ id: 'msg_4', route: 'b', state: 'dead', fallback: 'msg_3' }),
    message({ id: 'msg_5', route: 'b', state: 'uncertain' }),
  ];
  expect(replayCounts(messages, null)).toEqual({ sent: 2, failed: 1 });
  expect(replayCounts(messages, ['b'])).toEqual({ sent: 1, failed: 0 });
});

const frame = { at: AT, event: 'evt_1', source: 'shop', account: 'default' };
const what = { type: 'message', message: 'msg_1', route: 'paid', kind: 'text' } as const;
const reported: Frame = { ...frame, ...what, state: 'sent' };
const came: Frame = { ...frame, type: 'event', event_type: 'paid', state: 'routed', duplicate: true };

test('a message after a frame about it has the new state, and no longer what it waited for and why', () => {
  const { sent_at: _, ...retrying } = message({
    state: 'retrying',
    reason: 'the gateway failed',
    code: 'server-error',
    next_attempt_at: AT,
    waits: { for: 'retry', attempt: 2, of: 8 },
  });
  const after = messageAfter(retrying, reported);
  expect(after).toMatchObject({ state: 'sent', sent_at: AT });
  expect(after.waits ?? after.reason ?? after.code ?? after.next_attempt_at).toBeUndefined();
  expect(messageAfter(retrying, { ...reported, message: 'msg_2' })).toBe(retrying);
  expect(messageAfter(retrying, came)).toBe(retrying);
});

test('a list is asked for again when a frame may be about what it shows', () => {
  const its = { source: 'shop', state: 'routed', type: 'paid' };
  const ofEvents = [{}, its, { source: 'other' }, { state: 'failed' }];
  expect(ofEvents.map((filter) => concernsEvents(came, filter))).toEqual([true, true, false, false]);
  expect(concernsEvents(reported, {})).toBe(false);
  // A message may leave the list, or come to it, so its state does not matter.
  const ofMessages = [{}, { state: 'dead', phone: '49151' }, { event: 'evt_other' }];
  expect(ofMessages.map((filter) => concernsMessages(reported, filter))).toEqual([true, true, false]);
  expect(concernsMessages(came, {})).toBe(false);
});
