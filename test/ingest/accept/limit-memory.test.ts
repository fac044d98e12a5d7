import { describe, expect, it } from 'vitest';
import type { Refusal } from '../../../src/outbox/state/acceptance.ts';
import { LimitMemory } from '../../../src/ingest/accept/limit-memory.ts';
import { sourceOf } from '../support.ts';

const NOW = 1_000_000;
const form = sourceOf({ limit: { per_minute: 5 } });
const requests = { by: 'requests', waitMs: 10_000 } as const;
const bytes = { by: 'bytes', waitMs: 60_000 } as const;
const messages = { by: 'messages', waitMs: 60_000 } as const;

function remembering(refusal: Refusal, size = 1_000): LimitMemory {
  const memory = new LimitMemory();
  memory.remember(form, size, refusal, NOW);
  return memory;
}

describe('what an isolate remembers of a source over its limit', () => {
  it('refuses until the outbox’s moment, and never later', () => {
    const memory = remembering(requests);
    expect(memory.waitMs(form, 1, NOW + 1_000)).toBe(9_000);
    expect(memory.waitMs(form, 1, NOW + 9_999)).toBe(1);
    expect(memory.waitMs(form, 1, NOW + 10_000)).toBeNull();
  });

  it('forgets what is over, of sources that nobody asks for as well', () => {
    const memory = new LimitMemory();
    for (let n = 0; n < 1_000; n += 1)
      memory.remember({ ...form, id: `form-${n}` }, 1, requests, NOW + n * 1_000);
    expect(memory.size).toBeLessThanOrEqual(11);
  });

  it('ends when the limit is another, or the account', () => {
    for (const change of [
      { limit: { per_minute: 6 } },
      { limit: { per_minute: 5, burst: 4 } },
      { limit: { per_minute: 5, mib_per_hour: 1 } },
      { limit: { per_minute: 5, messages_per_minute: 1 } },
      { limit: false },
    ]) {
      expect(remembering(requests).waitMs(sourceOf(change), 1, NOW + 1)).toBeNull();
    }
    expect(remembering(requests).waitMs({ ...form, account: 'sales' }, 1, NOW + 1)).toBeNull();
  });

  it('goes on when the same limit is published again', () => {
    expect(remembering(requests).waitMs(sourceOf({ limit: { per_minute: 5 } }), 1, NOW + 1)).not.toBeNull();
  });

  it.each([
    ['bytes', bytes],
    ['messages', messages],
  ])('refuses for %s only bodies that are as large', (_, refusal) => {
    const memory = remembering(refusal, 1_000);
    expect(memory.waitMs(form, 999, NOW + 1)).toBeNull();
    expect(memory.waitMs(form, 1_000, NOW + 1)).not.toBeNull();
    memory.remember(form, 5, requests, NOW);
    expect(memory.waitMs(form, 999, NOW + 1)).not.toBeNull();
  });

  it('knows nothing of other sources, and remembers no full outbox', () => {
    const memory = remembering(requests);
    expect(memory.waitMs({ ...form, id: 'other' }, 1, NOW + 1)).toBeNull();
    const fresh = new LimitMemory();
    fresh.remember(form, 1, { by: 'storage', waitMs: 60_000 }, NOW);
    expect(fresh.waitMs(form, 1, NOW + 1)).toBeNull();
  });
});
