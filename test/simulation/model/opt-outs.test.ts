import { describe, expect, it } from 'vitest';
import { HOUR, MINUTE, NOON, PHONE } from './history.ts';
import { MessagesModel, type Owed } from './messages.ts';
import { OptOuts } from './opt-outs.ts';

const ORDER: Owed = {
  source: 'orders',
  phone: PHONE,
  text: 'order 1',
  isHeld: false,
  other: null,
  requestedAt: NOON + HOUR,
  acceptedAt: NOON + HOUR + 10,
};

/** Opted out at noon, which is in force after five minutes. */
const optedOut = () => {
  const rules: string[] = [];
  const report = (rule: string): void => void rules.push(rule);
  const optOuts = new OptOuts(
    report,
    (text) => text.startsWith('batch'),
    (from) => from + 5 * MINUTE,
  );
  const one = optOuts.begins(PHONE, NOON);
  one.addedAt = NOON + 1_000;
  const messages = new MessagesModel(report, 5, (message, from) => optOuts.maySuppress(message, from));
  return { rules, optOuts, messages, one };
};

/** Returns the rules that are broken when a message ends like this without a call. */
const endsAs = (
  state: string,
  order: Partial<Owed> = {},
  backAt: number | null = null,
): readonly string[] => {
  const { rules, messages, one } = optedOut();
  if (backAt !== null) Object.assign(one, { endsFrom: backAt, endedAt: backAt + 1_000 });
  const owed = { ...ORDER, ...order };
  messages.accepted(owed);
  messages.atQuiet(new Map([[`${owed.text} to ${PHONE}`, [state]]]));
  return rules;
};

/**
 * Returns the rules that are broken when an order leaves after the next one: `at`, a person replays it; its receiver
 * has opted in again `backAt`.
 */
const replayed = (at: number | null, backAt = NOON + 2 * HOUR): readonly string[] => {
  const { rules, messages, one } = optedOut();
  Object.assign(one, { endsFrom: backAt, endedAt: backAt + 1_000 });
  const next = { ...ORDER, text: 'order 2', requestedAt: NOON + 2.5 * HOUR, acceptedAt: NOON + 2.5 * HOUR };
  const call = {
    endsAt: NOON + 5 * HOUR,
    account: 'default',
    phone: PHONE,
    outcome: 'sent',
    isShown: true,
  } as const;
  messages.accepted(ORDER);
  messages.accepted(next);
  messages.called({ ...call, text: next.text, at: next.acceptedAt }, false);
  if (at !== null) messages.again(ORDER, at);
  messages.called({ ...call, text: ORDER.text, at: NOON + 4 * HOUR }, false);
  messages.atQuiet(new Map([ORDER, next].map(({ text }) => [`${text} to ${PHONE}`, ['sent']])));
  return rules;
};

describe('whoever has opted out', () => {
  it('gets no message once that is in force', () => {
    const { rules, optOuts } = optedOut();
    optOuts.called({ phone: PHONE, text: 'order 1', at: NOON + 5 * MINUTE });
    optOuts.called({ phone: '4915112345602', text: 'order 1', at: NOON + HOUR });
    expect(rules).toEqual([]);
    optOuts.called({ phone: PHONE, text: 'order 1', at: NOON + 6 * MINUTE });
    expect(rules).toEqual(['nobody who has opted out gets a message']);
  });

  it('gets what is transactional, and is owed it', () => {
    const { rules, optOuts } = optedOut();
    optOuts.called({ phone: PHONE, text: 'batch 1.1', at: NOON + HOUR });
    expect(rules).toEqual([]);
    expect(endsAs('suppressed', { text: 'batch 1.1' })).toEqual(['nothing accepted is lost']);
  });

  it('has what is for them end suppressed', () => {
    expect(endsAs('suppressed')).toEqual([]);
    expect(endsAs('cancelled')).toEqual(['what is for somebody who has opted out ends suppressed']);
  });

  it('gets messages again once they opt in', () => {
    const { rules, optOuts, one } = optedOut();
    one.endsFrom = NOON + 30 * MINUTE;
    optOuts.called({ phone: PHONE, text: 'order 1', at: NOON + 31 * MINUTE });
    expect(rules).toEqual([]);
    expect(endsAs('suppressed', {}, NOON + 58 * MINUTE)).toEqual([]);
    expect(endsAs('suppressed', {}, NOON + 50 * MINUTE)).toEqual(['nothing accepted is lost']);
  });

  it('gets what was suppressed when a person replays it, after what came later', () => {
    const LEAVE_IN_ORDER = ['messages to a receiver leave in order'];
    expect(replayed(NOON + 3 * HOUR)).toEqual([]);
    // Nobody has asked for it, or only once it had been sent.
    expect(replayed(null)).toEqual(LEAVE_IN_ORDER);
    expect(replayed(NOON + 5 * HOUR)).toEqual(LEAVE_IN_ORDER);
    // It was not suppressed.
    expect(replayed(NOON + 3 * HOUR, NOON + 50 * MINUTE)).toEqual(LEAVE_IN_ORDER);
  });
});
