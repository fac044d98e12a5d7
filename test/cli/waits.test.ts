import { describe, expect, it } from 'vitest';
import type { Message } from '../../cli/relay/shapes.ts';
import { itemWaitText, waitMs, waitText, whyText } from '../../cli/waits.ts';
import { ITEM_WAIT_REASONS, WAIT_REASONS } from '../../src/outbox/state/states.ts';
import { attempt, messageOf } from './messages.ts';

/** Today at half past nine. */
const NOW = new Date(new Date().setHours(9, 30, 0, 0));
const later = (ms: number): string => new Date(NOW.getTime() + ms).toISOString();
const UNTIL = later(300_000);

const textOf = (waits: NonNullable<Message['waits']>, over: Partial<Message> = {}): string | undefined =>
  waitText(messageOf({ ...over, waits }), NOW);

describe('what a message waits for, in words', () => {
  it.each([
    [{ for: 'pause', detail: 'ada: lunch' }, 'its account is paused by ada: lunch'],
    [
      { for: 'login', detail: 'the secret GATEWAY_EMAIL is not set' },
      'its account has no login: the secret GATEWAY_EMAIL is not set',
    ],
    [
      { for: 'circuit', until: UNTIL, detail: 'the gateway answered 500: it failed' },
      'the gateway is failing; one message is tried at 09:35:00 (in 5 min): the gateway answered 500: it failed',
    ],
    [{ for: 'circuit' }, 'the gateway is failing; one message is being tried'],
    [{ for: 'delay', until: UNTIL }, 'the delay of its route; until 09:35:00 (in 5 min)'],
    [
      { for: 'receiver', until: UNTIL, per_hour: 30 },
      'its receiver is at its hourly limit of 30; not before 09:35:00 (in 5 min)',
    ],
    [{ for: 'pace', until: UNTIL }, 'the account’s pace; not before 09:35:00 (in 5 min)'],
    [{ for: 'turn' }, 'its turn: others go first'],
    [{ for: 'turn', attempt: 2, of: 10 }, 'its turn: others go first; then attempt 2 of 10'],
    [{ for: 'moon' }, 'moon'],
  ])('%j', (waits, text) => expect(textOf(waits)).toBe(text));

  it('is the next attempt, with what the gateway said to the last one', () => {
    const retrying = {
      state: 'retrying',
      reason: 'the gateway answered 500: it failed',
      attempts: [
        attempt({
          detail: 'the gateway answered 500: it failed',
          response: '{"message":"the disk is full"}',
        }),
      ],
    };
    const waits = { for: 'retry', until: UNTIL, attempt: 2, of: 10 };
    expect(textOf(waits, retrying)).toBe(
      'attempt 2 of 10 at 09:35:00 (in 5 min): the gateway answered 500: it failed (“the disk is full”)',
    );
    expect(textOf({ for: 'retry', attempt: 2, of: 10 })).toBe('attempt 2 of 10 is due');
    expect(textOf({ for: 'circuit', attempt: 2, of: 10, detail: 'of another message' }, retrying)).toBe(
      'the gateway is failing; one message is being tried; then attempt 2 of 10: the gateway answered 500: it failed (“the disk is full”)',
    );
    expect(textOf({ for: 'turn', attempt: 2, of: 10 }, retrying)).toBe(
      'its turn: others go first; then attempt 2 of 10: the gateway answered 500: it failed (“the disk is full”)',
    );
  });

  it('has words for every reason that there is', () => {
    for (const reason of WAIT_REASONS) expect(textOf({ for: reason })).not.toBe(reason);
  });

  it('is nothing where nothing is waited for, and then its reason is why it is where it is', () => {
    expect(waitText(messageOf({ state: 'sent' }), NOW)).toBeUndefined();
    expect(whyText(messageOf({ state: 'sent' }), NOW)).toBe('');
    expect(whyText(messageOf({ state: 'expired', reason: 'too old' }), NOW)).toBe('too old');
  });
});

const ms = (until?: string) =>
  waitMs(messageOf({ waits: { for: 'pace', ...(until !== undefined && { until }) } }), NOW);

describe('how long a message waits', () => {
  it('is the time until then, and nothing once it is over or unknown', () => {
    expect([ms(UNTIL), ms(later(-1_000)), ms()]).toEqual([300_000, 0, 0]);
  });
});

describe('what an item waits for, in words', () => {
  it('is its reason, and until when at the earliest', () => {
    expect(itemWaitText({ for: 'quiet', until: UNTIL }, NOW)).toBe(
      'waits for the end of quiet hours; not before 09:35:00 (in 5 min)',
    );
    expect(itemWaitText({ for: 'group' }, NOW)).toBe('waits for its group');
    expect(itemWaitText(undefined, NOW)).toBe('waits');
  });

  it('has words for every reason that there is', () => {
    for (const reason of ITEM_WAIT_REASONS) expect(itemWaitText({ for: reason }, NOW)).not.toBe('waits');
  });
});
