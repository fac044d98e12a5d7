import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { refuseKnown, refuseLimited } from '../../../src/ingest/accept/limited.ts';
import { problemOf, sourceOf } from '../support.ts';
import { envWith } from '../../platform/env.ts';

const form = sourceOf({ limit: { per_minute: 5 } });
const refusal = { by: 'requests', waitMs: 9_500 } as const;

interface Reported {
  readonly source: string;
  readonly times: number;
}

/** A deployment of its own whose registry keeps what it gets. */
function deployment() {
  const reported: Reported[][] = [];
  const work: Promise<unknown>[] = [];
  const recordLimited = async (entries: Reported[]) => void reported.push(entries);
  return {
    env: envWith({ CONFIG: {}, REGISTRY: { getByName: () => ({ recordLimited }) } }),
    ctx: { waitUntil: (promise: Promise<unknown>) => void work.push(promise) },
    reported,
    done: () => Promise.all(work),
  };
}

beforeEach(() => {
  // There is no wait between two reports here.
  vi.spyOn(scheduler, 'wait').mockResolvedValue(undefined);
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
});
afterEach(() => vi.restoreAllMocks());

describe('a webhook of a source that is over its limit', () => {
  it('is answered 429 with whole seconds, at least one, and nothing of the source', async () => {
    const context = deployment();
    const now = Date.now();
    const response = refuseLimited(form, 10, refusal, context, now);
    expect(response.status).toBe(429);
    expect(response.headers.get('retry-after')).toBe('10');
    const problem = await problemOf(response);
    expect(problem.type).toBe('urn:hookbell:problem:too-many-webhooks');
    expect(JSON.stringify(problem)).not.toMatch(/shop|\b5\b/);
    const soon = refuseLimited(form, 10, { by: 'requests', waitMs: 1 }, context, now);
    expect(soon.headers.get('retry-after')).toBe('1');
    await context.done();
  });

  it('is refused without the outbox as long as the outbox said, and no longer', async () => {
    const context = deployment();
    const now = Date.now();
    expect(refuseKnown(form, 10, context, now)).toBeNull();
    refuseLimited(form, 10, refusal, context, now);
    expect(refuseKnown(form, 10, context, now + 9_499)?.status).toBe(429);
    expect(refuseKnown(form, 10, context, Date.now() + 9_500)).toBeNull();
    expect(refuseKnown(form, 10, deployment(), now + 1)).toBeNull();
    await context.done();
  });

  it('is reported to the registry in sums: the first at once, what follows together', async () => {
    const context = deployment();
    const now = Date.now();
    refuseLimited(form, 10, refusal, context, now);
    for (let n = 0; n < 500; n += 1) refuseKnown(form, 10, context, now + 1);
    await context.done();
    expect(context.reported.map(([entry]) => entry?.times)).toEqual([1, 500]);
    expect(context.reported[0]?.[0]).toMatchObject({
      source: 'shop',
      status: 429,
      reason: 'limited',
      detail: "over the source's limit: 5 webhooks a minute, 120 messages a minute, 64 MiB an hour",
    });
  });
});
