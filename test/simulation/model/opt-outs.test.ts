import { expect, it } from 'vitest';
import { HOUR, MINUTE, NOON, PHONE } from './history.ts';
import { MessagesModel, type Owed } from './messages.ts';
import { OptOuts } from './opt-outs.ts';

const AT = NOON + HOUR;
const ORDER: Owed = {
  source: 'orders',
  phone: PHONE,
  text: 'order 1',
  isHeld: false,
  other: null,
  requestedAt: AT,
  acceptedAt: AT + 10,
};
const LATER = NOON + 2.5 * HOUR;
const NEXT: Owed = { ...ORDER, text: 'order 2', requestedAt: LATER, acceptedAt: LATER };

const isTransactional = (text: string): boolean => text.startsWith('batch');

/** Opted out at noon, which is in force after five minutes, and in again at another time. */
const optedOut = (backAt: number | null = null) => {
  const rules: string[] = [];
  const report = (rule: string): void => void rules.push(rule);
  const optOuts = new OptOuts(report, isTransactional, (from) => from + 5 * MINUTE);
  const one = optOuts.begins(PHONE, NOON);
  one.addedAt = NOON + 1_000;
  if (backAt !== null) Object.assign(one, { endsFrom: backAt, endedAt: backAt + 1_000 });
  const messages = new MessagesModel(report, 5, (message, from) => optOuts.maySuppress(message, from));
  const calls = (text: string, at: number, phone = PHONE): readonly string[] => {
    optOuts.called({ phone, text, at });
    return rules;
  };
  return { rules, messages, calls };
};

/** Returns the rules that are broken when a message ends like this without a call. */
const endsAs = (state: string, text = 'order 1', backAt: number | null = null): readonly string[] => {
  const { rules, messages } = optedOut(backAt);
  messages.accepted({ ...ORDER, text });
  messages.atQuiet(new Map([[`${text} to ${PHONE}`, [state]]]));
  return rules;
};

/**
 * Returns the rules that are broken when an order leaves after the next one: `at`, a person replays it; its receiver
 * has opted in again `backAt`.
 */
const replayed = (at: number | null, backAt = NOON + 2 * HOUR): readonly string[] => {
  const { rules, messages } = optedOut(backAt);
  const sent = { outcome: 'sent', isShown: true } as const;
  const call = { ...sent, endsAt: NOON + 5 * HOUR, account: 'default', phone: PHONE };
  for (const order of [ORDER, NEXT]) messages.accepted(order);
  messages.called({ ...call, text: NEXT.text, at: NEXT.acceptedAt }, false);
  if (at !== null) messages.again(ORDER, at);
  messages.called({ ...call, text: ORDER.text, at: NOON + 4 * HOUR }, false);
  messages.atQuiet(new Map([ORDER, NEXT].map(({ text }) => [`${text} to ${PHONE}`, ['sent']])));
  return rules;
};

const LOST = ['nothing accepted is lost'];
const IN_ORDER = ['messages to a receiver leave in order'];

it('whoever has opted out gets no message once that is in force, but what is transactional, and others get theirs', () => {
  expect(optedOut().calls('order 1', NOON + 5 * MINUTE)).toEqual([]);
  expect(optedOut().calls('order 1', AT, '4915112345602')).toEqual([]);
  expect(optedOut().calls('order 1', NOON + 6 * MINUTE)).toEqual(['nobody who has opted out gets a message']);
  expect(optedOut().calls('batch 1.1', AT)).toEqual([]);
  expect(optedOut(NOON + 30 * MINUTE).calls('order 1', NOON + 31 * MINUTE)).toEqual([]);
});

it('whoever has opted out has what is for them end suppressed, but what is transactional, or came once they were in again', () => {
  expect(endsAs('suppressed')).toEqual([]);
  expect(endsAs('cancelled')).toEqual(['what is for somebody who has opted out ends suppressed']);
  expect(endsAs('suppressed', 'batch 1.1')).toEqual(LOST);
  expect(endsAs('suppressed', 'order 1', NOON + 58 * MINUTE)).toEqual([]);
  expect(endsAs('suppressed', 'order 1', NOON + 50 * MINUTE)).toEqual(LOST);
});

it('whoever has opted out gets what was suppressed when a person replays it, after what came later', () => {
  expect(replayed(NOON + 3 * HOUR)).toEqual([]);
  // Nobody has asked for it, or only once it had been sent; or it was not suppressed.
  expect([replayed(null), replayed(NOON + 5 * HOUR)]).toEqual([IN_ORDER, IN_ORDER]);
  expect(replayed(NOON + 3 * HOUR, NOON + 50 * MINUTE)).toEqual(IN_ORDER);
});
