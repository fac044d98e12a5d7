import '../../platform/facts.ts';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { failedOnly, restoredEvent } from '../../../src/admin/messages/replay.ts';
import type { RouteResult } from '../../../src/ingest/routing/result.ts';
import type { ReplayView, StoredEvent } from '../../../src/outbox/read/events.ts';
import type { MessageView } from '../../../src/answers/api-message.ts';
import { MESSAGE_STATES } from '../../../src/schema/states.ts';
import { sourceOf } from '../../ingest/support.ts';

/** A message of the event: its receiver, its state, and more. */
function message(phone: string, state: MessageView['state'], more: Partial<MessageView> = {}): MessageView {
  const sent = { event: 'evt_1', source: 'shop', route: 'paid', account: 'default', kind: 'text' } as const;
  const fixed = { ...sent, params: {}, attempts: [], created_at: '', config_version: 1 };
  return { id: `msg_${phone}_${state}`, ...fixed, phone, state, ...more };
}

/** The messages that a route would send today, to these phones. */
const rendered = (phones: readonly string[], route = 'paid'): RouteResult => ({
  route,
  result: 'matched',
  failures: [],
  messages: phones.map((phone, at) => ({ route, kind: 'text', phone, params: { message: String(at) } })),
});

/** The texts of the messages that are sent again. */
const again = (
  messages: readonly MessageView[],
  results: readonly RouteResult[],
  more: object = {},
  replays: readonly ReplayView[] = [],
) =>
  failedOnly({ messages, ...more }, results, replays).flatMap((result) =>
    result.messages.map(({ params }) => params['message']),
  );

/** A replay that sent these messages: to whom, and whether they failed as well. */
const replay = (messages: readonly (readonly [phone: string, hasFailed: boolean])[]): ReplayView => ({
  id: 'evt_2',
  original: 'evt_1',
  messages: messages.map(([phone, hasFailed]) => ({ route: 'paid', phone, hasFailed })),
  items: [],
});

const by = (action: 'retry' | 'cancel') => ({ actions: [{ action, by: 'token', at: '' }] });

it('what failed of an event is a message that was given up, expired or cancelled by a person', () => {
  for (const [state, more, isAgain] of [
    ['dead', {}, true],
    ['expired', {}, true],
    ['cancelled', by('cancel'), true],
    // By a digest, which has reported it.
    ['cancelled', {}, false],
    ['cancelled', by('retry'), false],
    ['uncertain', {}, false],
    ['sent', {}, false],
    ['queued', by('retry'), false],
    ['retrying', {}, false],
    ['sending', {}, false],
  ] as const)
    expect([state, ...again([message('1', state, more)], [rendered(['1'])])]).toEqual(
      isAgain ? [state, '0'] : [state],
    );
});

it('what failed of an event is sent to the receivers that did not get it, and to nobody else', () => {
  const before = [message('1', 'sent'), message('2', 'dead'), message('3', 'queued')];
  expect(again(before, [rendered(['1', '2', '3', '4'])])).toEqual(['1']);
});

it('what failed of an event never reaches anybody who got it or may yet, however states and receivers are', () => {
  const state = fc.constantFrom(...MESSAGE_STATES);
  const phone = fc.constantFrom('1', '2', '3');
  fc.assert(
    fc.property(fc.array(fc.tuple(phone, state), { maxLength: 6 }), (past) => {
      const before = past.map(([to, one], at) => message(to, one, { id: `msg_${at}` }));
      const sentAgain = again(before, [rendered(past.map(([to]) => to))]);
      const isFailed = ([, one]: (typeof past)[number]) => one === 'dead' || one === 'expired';
      const failed = past.flatMap((one, at) => (isFailed(one) ? [String(at)] : []));
      expect(new Set(sentAgain)).toEqual(new Set(failed));
    }),
  );
});

it('what failed of an event is compared by its place among the messages of a receiver, if they are as many as then', () => {
  const before = [message('1', 'sent'), message('1', 'dead', { id: 'msg_2' })];
  expect(again(before, [rendered(['1', '1'])])).toEqual(['1']);
  expect(again(before, [rendered(['1', '1', '1'])])).toEqual([]);
  expect(again([message('1', 'dead')], [rendered(['1', '1'])])).toEqual(['0', '1']);
});

it('what failed of an event is what neither the message nor its fallback brought', () => {
  const first = message('1', 'dead', { id: 'msg_1', fallback: 'msg_2' });
  const second = (state: MessageView['state']) => message('1', state, { id: 'msg_2', fallback_of: 'msg_1' });
  expect(again([first, second('sent')], [rendered(['1'])])).toEqual([]);
  expect(again([first, second('queued')], [rendered(['1'])])).toEqual([]);
  expect(again([first, second('dead')], [rendered(['1'])])).toEqual(['0']);
  // Another account may have taken it.
  const handed = message('1', 'dead', { id: 'msg_1', fallback_account: 'sales' });
  expect(again([handed], [rendered(['1'])])).toEqual([]);
});

it('what failed of an event is a route that could not be rendered then', () => {
  const reasons = [{ code: 'absent', route: 'paid', parameter: 'to', message: 'is not there' }] as const;
  expect(again([], [rendered(['1'])])).toEqual([]);
  expect(again([], [rendered(['1']), rendered(['2'], 'other')], { reasons })).toEqual(['0']);
});

it('what failed of an event of what is reported later is a route that could not be rendered, and had no items', () => {
  const of = { route: 'paid', index: 1, place: 1, phones: [], key: null, isResolved: false, group: null };
  const items = [{ ...of, flapping: null, inhibitedBy: [], value: '{}' }];
  const result = { ...rendered([]), items };
  const reasons = [{ code: 'absent', route: 'paid', parameter: 'each', message: 'is not there' }] as const;
  const kept = (stored: object, replays: readonly ReplayView[] = []) =>
    failedOnly({ messages: [], ...stored }, [result], replays)[0]?.items;
  expect(kept({})).toBeUndefined();
  expect(kept({ reasons })).toBe(items);
  expect(kept({ reasons, items: [{ route: 'paid', index: 1, outcome: 'notified' }] })).toBeUndefined();
  expect(kept({ reasons }, [{ ...replay([]), items: ['paid'] }])).toBeUndefined();
  expect(kept({ reasons }, [replay([])])).toBe(items);
});

it('what failed of an event is not what a replay has sent since, or may have sent', () => {
  const dead = ['1', '2', '3'].map((to) => message(to, 'dead'));
  const replays = [replay([['1', false], ['2', true]])]; // prettier-ignore
  expect(again(dead, [rendered(['1', '2', '3'])], {}, replays)).toEqual(['1', '2']);
  const reasons = [{ code: 'absent', route: 'paid', parameter: 'to', message: 'is not there' }] as const;
  expect(again([], [rendered(['1', '2'])], { reasons }, replays)).toEqual(['1']);
});

it('what failed of an event is compared with a replay by the place, too, if that sent all of them or what had failed', () => {
  const states = ['sent', 'dead', 'dead'] as const;
  const before = states.map((state, at) => message('1', state, { id: `msg_${at}` }));
  const left = (...sent: readonly (readonly boolean[])[]) => {
    const replays = sent.map((one) => replay(one.map((hasFailed) => ['1', hasFailed])));
    return again(before, [rendered(['1', '1', '1'])], {}, replays);
  };
  expect(left([false, true])).toEqual(['2']);
  expect(left([false, true, false])).toEqual(['1']);
  expect(left([false, true], [false])).toEqual([]);
  expect(left([true, true], [true, false])).toEqual(['1']);
  // Nobody knows which of them it was.
  expect(left([false])).toEqual([]);
  expect(left([true])).toEqual(['1', '2']);
});

it('an event is restored with the time and the key that it had', () => {
  const receivedAt = Date.now();
  const stored: StoredEvent = {
    id: 'evt_1',
    source: 'shop',
    type: 'paid',
    state: 'routed',
    received_at: new Date(receivedAt).toISOString(),
    dedupe_key: 'k',
    duplicates: 0,
    config_version: 1,
    stored: true,
    payload: '{"a":{"__proto__":1}}',
    headers: '{"x-a":"1"}',
    query: '{}',
    messages: [],
  };
  const event = restoredEvent(stored, sourceOf(), 'evt_2');
  const had = { type: 'paid', receivedAt, dedupeKey: 'k', headers: { 'x-a': '1' }, query: {} };
  expect(event).toMatchObject({ id: 'evt_2', ...had });
  const { dedupe_key: _, ...keyless } = stored;
  expect(restoredEvent(keyless, sourceOf(), 'evt_3').dedupeKey).toBeNull();
});
