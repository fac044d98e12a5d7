import { describe, expect, it } from 'vitest';
import {
  bytesOf,
  fitsIntoRow,
  heldBytes,
  MAX_EVENT_BYTES,
  storedBytes,
} from '../../../src/outbox/state/bytes.ts';
import { acceptanceTo } from '../bare-outbox.ts';
import { itemSample } from '../samples.ts';

describe('the bytes of what is accepted', () => {
  it('are more by a row for each message', () => {
    expect(storedBytes(acceptanceTo(['1', '2'])) - storedBytes(acceptanceTo([]))).toBe(2_048);
    expect(heldBytes(acceptanceTo(['1', '2']))).toBeGreaterThan(heldBytes(acceptanceTo([])) + 2_048);
  });

  it('are more by an item’s value, and by a row for each of its receivers', () => {
    const none = acceptanceTo([]);
    const waiting = { ...none, items: [itemSample(['1', '2'], 'x'.repeat(100)), itemSample(['1'], '')] };
    expect(storedBytes(waiting) - storedBytes(none)).toBe(100 + 3 * 1_024);
    expect(heldBytes(waiting) - heldBytes(none)).toBe(200 + 3 * 1_024);
  });
});

describe('an event’s row', () => {
  it('holds texts up to its size together, in bytes of UTF-8', () => {
    expect(bytesOf(['a', 'é', '漢'])).toBe(6);
    expect(fitsIntoRow(['x'.repeat(MAX_EVENT_BYTES - 2), 'é'])).toBe(true);
    expect(fitsIntoRow(['x'.repeat(MAX_EVENT_BYTES - 1), 'é'])).toBe(false);
  });
});
