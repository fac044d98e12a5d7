import { describe, expect, test } from 'vitest';
import type { EventDetail, Message } from '../../../console/api/types.ts';
import { sentencesOf, type Saying } from '../../../console/pages/events/sentence.ts';
import { en } from '../../../console/texts/en.ts';

const AT = '2026-03-01T06:30:00.000Z';

const SAYING: Saying = {
  words: en.events.sentence,
  status: en.messages.status,
  andMore: en.bulk.andMore,
  time: (at) => at.slice(11, 16),
  number: String,
  phone: (phone) => `+${phone}`,
  said: (sentence) => sentence,
};

const message = (part: Partial<Message>): Message => ({
  id: 'msg_1',
  event: 'evt_1',
  source: 'contact',
  route: 'owners',
  account: 'default',
  kind: 'text',
  phone: '4915112345678',
  params: {},
  state: 'sent',
  attempts: [],
  created_at: AT,
  config_version: 1,
  ...part,
});

const event = (part: Partial<EventDetail>): EventDetail => ({
  id: 'evt_1',
  source: 'contact',
  type: null,
  state: 'routed',
  received_at: AT,
  duplicates: 0,
  config_version: 1,
  stored: true,
  payload: null,
  headers: null,
  query: null,
  messages: [],
  ...part,
});

const ROUTES = [
  { name: 'owners', to: ['shop-owners'] },
  { name: 'thank', to: '{{ payload.phone }}' },
];
const say = (part: Partial<EventDetail>): string => sentencesOf(event(part), ROUTES, SAYING).join(' ');

describe('an event in a sentence', () => {
  test('says whom it notified and when, and whose number is not valid', () => {
    const reason =
      'route `thank`, parameter `to` ({{ payload.phone }}): "12" is not a valid phone number in DE, nor an international one';
    const said = say({ state: 'partly_failed', reason, messages: [message({ sent_at: AT })] });
    expect(said).toMatch(/^Notified shop-owners \(06:30\)\. The number for thank is not valid/);
  });

  test('counts items that were notified, and never says that nothing was made of them', () => {
    const items = [1, 2].map((index) => ({
      route: 'on-call',
      index,
      phone: '4915112345678',
      outcome: 'notified' as const,
      message: 'msg_0000000000000001',
    }));
    expect(say({ items })).toBe('Notified +4915112345678.');
    const held = [{ route: 'on-call', index: 1, outcome: 'silenced' as const, silence: 'sil_1' }];
    expect(say({ items: held })).toBe(en.events.sentence.items.silenced('1', true));
  });

  test('says what waits, and what did not come through', () => {
    const said = say({
      messages: [message({ state: 'queued' }), message({ state: 'dead', route: 'thank' })],
    });
    expect(said).toBe(
      'The message to shop-owners is waiting. The message to +4915112345678 was not delivered.',
    );
  });

  test('says that a message may have arrived whose answer was not clear, and not that it waits', () => {
    expect(say({ messages: [message({ state: 'uncertain' })] })).toBe(
      'The message to shop-owners may or may not have arrived.',
    );
  });

  test.each(['cancelled', 'suppressed'] as const)('says who got nothing by a message that is %s', (state) => {
    expect(say({ messages: [message({ state })] })).toBe('The message to shop-owners was not delivered.');
  });

  test('does not call a message lost whose fallback was sent', () => {
    const dead = message({ state: 'dead', fallback: 'msg_2' });
    expect(say({ messages: [dead, message({ id: 'msg_2', sent_at: AT })] })).toMatch(
      /^Notified shop-owners \([^.]*\)\.$/,
    );
  });

  test('says that a message waits that another account is to take, and notified once that has sent it', () => {
    const dead = message({ state: 'dead', fallback_account: 'telegram' });
    expect(say({ messages: [dead] })).toBe('The message to shop-owners is waiting.');
    const sent = message({ id: 'msg_2', account: 'telegram', sent_at: AT });
    expect(say({ messages: [{ ...dead, state: 'superseded', fallback: 'msg_2' }, sent] })).toMatch(
      /^Notified shop-owners \([^.]*\)\.$/,
    );
  });

  test('says that nobody was notified, and why', () => {
    expect(say({ state: 'unmatched' })).toBe(en.events.sentence.unmatched);
    expect(say({})).toBe(en.events.sentence.nothing);
  });
});
