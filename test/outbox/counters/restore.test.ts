import { expect } from 'vitest';
import type { Acceptance } from '../../../src/outbox/state/acceptance.ts';
import { it, openOutbox } from '../it.ts';
import { accepted, draft, HOUR, START } from '../support.ts';

const keyed = (key: string, messages = 1, over: Parameters<typeof accepted>[0] = {}): Acceptance => ({
  event: accepted({ dedupe: { key, windowMs: HOUR }, ...over }),
  messages: Array.from({ length: messages }, () => draft()),
});

const last = { 'last shop': START };
const ROUTED = { 'event shop routed': 1, 'message shop queued': 1 };
const once = keyed('a');

it.for<[string, readonly Acceptance[], Record<string, number>]>([
  [
    'events and messages that were not sent yet',
    [keyed('a', 2), keyed('b', 1, { source: 'form', state: 'failed', receivedAt: START + 7 })],
    {
      ...last,
      'event shop routed': 1,
      'event form failed': 1,
      'message shop queued': 2,
      'message form queued': 1,
      'last form': START + 7,
    },
  ],
  ['a duplicate, which no message has', [keyed('a'), keyed('a')], { ...ROUTED, 'duplicate shop': 1 }],
  [
    'events without messages',
    [keyed('b', 0, { state: 'unmatched' })],
    { ...last, 'event shop unmatched': 1 },
  ],
  ['once what was handed in twice', [once, once], { ...ROUTED, ...last }],
  ['no replay as a sign of life', [keyed('a', 1, { replay: { of: 'evt_1', by: 'token' } })], ROUTED],
])('an outbox that starts again counts %s', async ([, acceptances, counted], { storage }) => {
  const before = openOutbox(storage);
  for (const one of acceptances) await before.accept(one);
  const { totals } = before.metrics();
  expect(totals).toMatchObject(counted);
  expect(totals['last shop'] !== undefined).toBe(!acceptances.some(({ event }) => event.replay !== null));
  expect(openOutbox(storage).metrics().totals).toEqual(totals);
});

it('an outbox that starts again counts what a person did, and events once', async ({ storage }) => {
  const before = openOutbox(storage);
  const { messages } = await before.accept(keyed('a'));
  await before.accept(keyed('b'));
  before.cancel(messages[0] ?? '', 'token');
  const counted = { 'event shop routed': 2, 'message shop queued': 2, 'message shop cancelled': 1 };
  // Somebody has seen these: they are on disk.
  expect(before.metrics().totals).toMatchObject(counted);
  expect(openOutbox(storage).metrics().totals).toMatchObject(counted);
});

it('a crash that loses counts does not lose when a source was heard, and a press is no sign of life', async ({
  storage,
  sql,
}) => {
  const before = openOutbox(storage);
  await before.accept(keyed('a', 0, { id: 'evt_1', receivedAt: START + 5 }));
  await before.accept(
    keyed('b', 0, { id: 'evt_2', receivedAt: START + 9, type: 'action.ack', isPress: true }),
  );
  sql.exec("UPDATE checkpoint SET counted = '{}'");
  sql.exec("DELETE FROM meta WHERE key = 'counters'");
  expect(openOutbox(storage).metrics().totals).toMatchObject({ 'last shop': START + 5 });
});
