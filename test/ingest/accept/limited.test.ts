import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { refuseKnown, refuseLimited } from '../../../src/ingest/accept/accept.ts';
import { UnderWay } from '../../../src/ingest/request/receive.ts';
import { MEMORY } from '../../../src/lib/shares.ts';
import type { Refusal } from '../../../src/outbox/state/acceptance.ts';
import { problemOf, sourceOf } from '../support.ts';
import { bindings } from '../../bindings.ts';

const NOW = 1_000_000;
const form = sourceOf({ limit: { per_minute: 5 } });
const requests = { by: 'requests', waitMs: 10_000 } as const;

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
    env: bindings({ CONFIG: {}, REGISTRY: { getByName: () => ({ recordLimited }) } }),
    ctx: { waitUntil: (promise: Promise<unknown>) => void work.push(promise) },
    reported,
    done: () => Promise.all(work),
  };
}

beforeEach(() => {
  // There is no wait between two reports here.
  vi.stubGlobal('scheduler', { wait: () => Promise.resolve() });
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  vi.spyOn(Date, 'now').mockReturnValue(NOW);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it('a webhook of a source that is over its limit is answered 429 with whole seconds, at least one, and nothing of the source', async () => {
  const context = deployment();
  for (const [waitMs, seconds] of [
    [9_500, '10'],
    [1, '1'],
  ] as const) {
    const response = refuseLimited(form, 10, { by: 'requests', waitMs }, context, NOW);
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, seconds]);
    const problem = await problemOf(response);
    expect(problem.type).toBe('urn:hookbell:problem:too-many-webhooks');
    expect(JSON.stringify(problem)).not.toMatch(/shop|\b5\b/);
  }
  await context.done();
});

it('a webhook of a source that is over its limit is refused without the outbox as long as the outbox said, and no longer', async () => {
  const context = deployment();
  expect(refuseKnown(form, 10, context, NOW)).toBeNull();
  refuseLimited(form, 10, requests, context, NOW);
  expect(refuseKnown(form, 10, context, NOW + 9_999)?.status).toBe(429);
  expect(refuseKnown(form, 10, context, NOW + 10_000)).toBeNull();
  expect(refuseKnown(form, 10, deployment(), NOW + 1)).toBeNull();
  await context.done();
});

it('a webhook of a source that is over its limit is reported to the registry in sums: the first at once, what follows together', async () => {
  const context = deployment();
  refuseLimited(form, 10, requests, context, NOW);
  for (let n = 0; n < 500; n += 1) refuseKnown(form, 10, context, NOW + 1);
  await context.done();
  expect(context.reported.map(([entry]) => entry?.times)).toEqual([1, 500]);
  const detail = "over the source's limit: 5 webhooks a minute, 120 messages a minute, 64 MiB an hour";
  expect(context.reported[0]?.[0]).toMatchObject({
    source: 'shop',
    status: 429,
    code: 'limited',
    detail,
  });
});

/** True if a webhook is refused a millisecond after one of 1,000 bytes of the form was. */
async function isRefused(refusal: Refusal, source: typeof form, bytes = 1): Promise<boolean> {
  const context = deployment();
  refuseLimited(form, 1_000, refusal, context, NOW);
  const refused = refuseKnown(source, bytes, context, NOW + 1);
  await context.done();
  return refused !== null;
}

it('what an isolate remembers of a source over its limit ends when the limit is another, or the account, and goes on when the same is published again', async () => {
  for (const change of [
    { limit: { per_minute: 6 } },
    { limit: { per_minute: 5, burst: 4 } },
    { limit: { per_minute: 5, mib_per_hour: 1 } },
    { limit: { per_minute: 5, messages_per_minute: 1 } },
    { limit: false },
  ])
    expect(await isRefused(requests, sourceOf(change))).toBe(false);
  expect(await isRefused(requests, { ...form, account: 'sales' })).toBe(false);
  expect(await isRefused(requests, { ...form, id: 'other' })).toBe(false);
  expect(await isRefused(requests, sourceOf({ limit: { per_minute: 5 } }))).toBe(true);
});

it('what an isolate remembers of a source over its limit refuses for bytes or messages only bodies that are as large', async () => {
  for (const by of ['bytes', 'messages'] as const) {
    const refusal = { by, waitMs: 60_000 };
    expect([await isRefused(refusal, form, 999), await isRefused(refusal, form, 1_000)]).toEqual([
      false,
      true,
    ]);
  }
});

const HALF = MEMORY.all / 2;

it('the memory of webhooks under way is given out up to its bound, and again once it is given back', () => {
  const underWay = new UnderWay();
  const done = underWay.take(HALF, 0, 'small');
  expect(underWay.take(HALF, 0, 'small')).not.toBeNull();
  expect(underWay.take(1, 0, 'small')).toBeNull();
  for (let times = 0; times < 2; times += 1) done?.();
  expect(underWay.take(HALF, 0, 'small')).not.toBeNull();
  expect(underWay.take(1, 0, 'small')).toBeNull();
});

it.for([
  ['large', 48],
  ['open', 32],
] as const)('is not given to %s bodies beyond %s MiB, so that small ones have some', ([kind, mib]) => {
  const underWay = new UnderWay();
  const take = (parts: number) => underWay.take(parts * 1_048_576, 0, kind);
  const done = take(mib);
  expect([take(1), underWay.take((64 - mib) * 1_048_576, 0, 'small'), underWay.take(1, 0, 'small')]).toEqual([
    null,
    expect.any(Function),
    null,
  ]);
  done?.();
  expect([take(mib / 2), take(mib / 2), take(1)]).toEqual([expect.any(Function), expect.any(Function), null]);
});

it('the memory of webhooks under way comes back though a request that was called off never says so', () => {
  const underWay = new UnderWay();
  underWay.take(2 * HALF, 0, 'small');
  expect(underWay.take(1, 59_999, 'small')).toBeNull();
  const later = underWay.take(1, 60_000, 'small');
  expect(later).not.toBeNull();
  later?.();
  expect(underWay.take(2 * HALF, 60_000, 'small')).not.toBeNull();
});
