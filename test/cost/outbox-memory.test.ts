import { describe, expect, it } from 'vitest';
import { MAX_OPEN } from '../../src/outbox/incidents/open-incidents.ts';
import {
  FULL,
  SHORT,
  SHORT_MESSAGES,
  LONG,
  LONG_MESSAGES,
  measureOutbox,
  MIB,
  RECEIVERS,
  WAITING,
} from './outbox-memory.ts';

describe('the memory of an object that starts, with all that an account keeps open and all that waits in memory', () => {
  it.each([
    ['is less than 64 MiB where keys and texts are short', SHORT, SHORT_MESSAGES, 64],
    [
      'is less than 64 MiB where keys have 72 characters, titles 200, and messages 400',
      LONG,
      LONG_MESSAGES,
      64,
    ],
    // An object has 128 MB.
    ['is less than 122 MiB where each also has a history and a message that waits', FULL, LONG_MESSAGES, 122],
  ])('%s', (_, incidents, messages, most) => {
    const held = measureOutbox(incidents, messages);
    expect(held.entries).toBe(MAX_OPEN * RECEIVERS);
    expect(held.waiting).toBeGreaterThanOrEqual(WAITING);
    expect((held.incidents + held.messages) / MIB).toBeLessThan(most);
  });
});
