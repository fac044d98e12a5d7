import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { tooLarge } from '../../../src/ingest/request/receive.ts';
import { DOCTOR_AGENT } from '../../../src/lib/version.ts';
import { recordRejection, rejectedBy, recordStray } from '../../../src/ingest/request/reject.ts';
import type { RejectedProblem } from '../../../src/ingest/request/verify.ts';
import type { RefusedNotice } from '../../../src/outbox/owner.ts';
import { configOf, NOW, rawOf, sourceOf } from '../support.ts';
import { bindings } from '../../bindings.ts';

const REJECTED = {
  problem: { status: 401, type: 'verification-failed', title: 'Verification failed', detail: 'no' },
  code: 'stale' as const,
  detail: 'header X-Time is 400 s old',
};

const HEADERS = { 'cf-connecting-ip': '192.0.2.1', 'user-agent': 'Stripe/1.0' };

/** The relay counts refusals by the second, and other files have some of now. */
const DAY = NOW + 86_400_000;

/** A request that came in then. */
const at = (receivedAt: number) => ({ ...rawOf(sourceOf(), { headers: HEADERS }), receivedAt });

/** A registry that keeps what it gets, or fails to. */
function registryOf(
  record: (entry: unknown) => Promise<void>,
  recordLimited: (entries: unknown) => Promise<void> = () => Promise.resolve(),
) {
  const work: Promise<unknown>[] = [];
  const env = bindings({
    CONFIG: {},
    REGISTRY: { getByName: () => ({ recordRejection: record, recordLimited }) },
  });
  const ctx = { waitUntil: (promise: Promise<unknown>) => void work.push(promise) };
  return { env, ctx, done: () => Promise.all(work), work };
}

function keeping() {
  const entries: unknown[] = [];
  const reports: unknown[] = [];
  const registry = registryOf(
    async (entry) => void entries.push(entry),
    async (sum) => void reports.push(sum),
  );
  const summed = (): number =>
    [...JSON.stringify(reports).matchAll(/"times":(\d+)/g)].reduce(
      (all, [, times]) => all + Number(times),
      0,
    );
  return { ...registry, entries, reports, summed };
}

// The reports of a flood are two seconds apart.
beforeEach(() => void vi.stubGlobal('scheduler', { wait: () => Promise.resolve() }));
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it('recordRejection records when, where, why and from whom', async () => {
  const { env, ctx, done, entries } = keeping();
  recordRejection(env, ctx, at(DAY), REJECTED);
  await done();
  expect(entries).toEqual([
    {
      at: new Date(DAY).toISOString(),
      source: 'shop',
      status: 401,
      code: 'stale',
      detail: 'header X-Time is 400 s old',
      from: '192.0.2.1, which calls itself "Stripe/1.0"',
    },
  ]);
});

it('recordRejection leaves out what the doctor asks of an address, and nothing else by its name or its method', async () => {
  const { env, ctx, done, entries } = keeping();
  const wrong = { ...REJECTED, problem: { ...REJECTED.problem, status: 405 } };
  const doctors = { ...at(DAY), headers: new Headers({ 'user-agent': DOCTOR_AGENT }) };
  recordRejection(env, ctx, doctors, wrong);
  recordRejection(env, ctx, doctors, REJECTED);
  recordRejection(env, ctx, at(DAY), wrong);
  await done();
  expect(entries).toMatchObject([{ status: 401 }, { status: 405 }]);
});

it('recordRejection writes ten a second at most, sums up the rest, and logs each', async () => {
  const write = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const { env, ctx, done, entries, summed } = keeping();
  const start = DAY + 10_000;
  for (let i = 0; i < 100; i += 1) recordRejection(env, ctx, at(start + i), REJECTED);
  await done();
  expect(entries).toHaveLength(10);
  expect(summed()).toBe(90);
  expect(write).toHaveBeenCalledTimes(100);
  recordRejection(env, ctx, at(start + 1_000), REJECTED);
  await done();
  expect(entries).toHaveLength(11);
});

it('recordStray reports names ten times at once, then each ten minutes, those like a source’s apart', () => {
  const { env, ctx, reports } = keeping();
  const config = configOf({ stripe: { provider: 'stripe', secrets: ['STRIPE_SECRET'] } });
  for (let n = 0; n < 5_000; n += 1)
    for (const name of [`random-${n}`, ...(n % 250 === 0 ? ['strip'] : [])])
      recordStray('POST', name, config, { env, ctx }, DAY + n * 400);
  const named = reports.filter((one) => JSON.stringify(one).includes('"strip"'));
  expect([named.length, reports.length]).toEqual([13, 26]);
});

it('recordRejection has the owner notified of a body that is too large, or that a proven sender has spoilt, once a minute', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const notices: RefusedNotice[] = [];
  const refused = async (notice: RefusedNotice) => void notices.push(notice);
  const { env, ctx, done } = keeping();
  const told = { ...env, OUTBOX: bindings({ OUTBOX: { getByName: () => ({ refused }) } }).OUTBOX };
  const proven = { verify: { scheme: 'basic' }, secrets: ['HOOK_SECRET'] };
  const reject = (document: object, problem: RejectedProblem, later = 0) => {
    const raw = { ...rawOf(sourceOf(document)), receivedAt: DAY + 100_000 + later };
    recordRejection(told, ctx, raw, rejectedBy(problem, raw.source));
  };
  const malformed = {
    status: 400,
    type: 'malformed-body' as const,
    title: 'Malformed body',
    detail: 'no JSON',
  };
  for (const later of [0, 1, 59_999, 60_000]) reject({}, tooLarge(1_048_576, 1_300_000), later);
  for (const later of [0, 1]) reject(proven, malformed, later);
  reject({}, malformed);
  reject(proven, { ...malformed, status: 401, type: 'mismatch' });
  await done();
  expect(notices.map(({ kind }) => kind)).toEqual([
    'webhook.too_large',
    'webhook.too_large',
    'webhook.malformed',
  ]);
  expect(notices[0]?.source).toBe('shop');
  expect(notices[0]?.detail).toMatch(/1048576 bytes.*1300000.*4 MiB/);
  expect(notices[2]?.detail).toBe('no JSON');
});

it('recordRejection names the setting of the sender that makes a webhook smaller', () => {
  const source = sourceOf({ provider: 'alertmanager', verify: { scheme: 'none' } });
  expect(rejectedBy(tooLarge(1, 2), source).detail).toContain(
    'At Prometheus Alertmanager, group by more labels',
  );
});

it('recordRejection logs a registry that fails, which hurts nobody', async () => {
  const write = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const { env, ctx, done } = registryOf(() => Promise.reject(new Error('gone')));
  recordRejection(env, ctx, at(DAY + 70_000), REJECTED);
  await expect(done()).resolves.toBeDefined();
  expect(write.mock.calls.flat().join('')).toContain('rejection.record.failed');
});
