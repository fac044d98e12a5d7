import { describe, expect, it } from 'vitest';
import {
  byUnhappyIndex,
  isCancellable,
  isDue,
  isFinal,
  isRetryable,
  isUnhappy,
  MESSAGE_STATES,
  WAITING_STATES,
} from '../../../src/outbox/state/states.ts';

describe('the states of a message', () => {
  it.each(MESSAGE_STATES.filter((state) => state !== 'sending'))(
    '%s: the alarm sends it or is done with it',
    (state) => {
      expect(isDue(state)).toBe(!isFinal(state));
    },
  );

  it.each(WAITING_STATES)('%s waits, so it can be cancelled', (state) => {
    expect(isCancellable(state)).toBe(true);
  });

  it.each(['sent', 'sending'])('%s: nobody takes it back or has it tried again', (state) => {
    expect([isCancellable(state), isRetryable(state)]).toEqual([false, false]);
  });

  it.each(['toString', '', 'Sent'])('%j is none of them', (state) => {
    expect([isDue(state), isFinal(state), isRetryable(state), isCancellable(state)]).not.toContain(true);
  });
});

describe('the index of unhappy messages', () => {
  it.each(MESSAGE_STATES)('%s is in it unless nearly all messages are', (state) => {
    expect(isUnhappy(state)).toBe(state !== 'queued' && state !== 'sent');
  });

  it('is chosen by its own condition beside the state', () => {
    expect(byUnhappyIndex('?1')).toBe("state = ?1 AND state NOT IN ('queued', 'sent')");
  });
});
