import { env } from 'cloudflare:workers';
import { evictDurableObject } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import { readSeries, type SeriesRequest } from '../../src/metrics/series.ts';
import { loadConfig } from '../../src/config/load.ts';
import { registry } from '../../src/config/registry-client.ts';
import { DAY, HOUR, MINUTE } from '../../src/lib/duration.ts';
import { iso } from '../../src/lib/iso.ts';
import { admin, publish } from '../integration/relay.ts';
import { eventOf } from '../outbox/bare-outbox.ts';
import { draft } from '../outbox/support.ts';

/** The time of what is counted here: a whole hour of yesterday. */
const then = Math.floor((Date.now() - DAY) / HOUR) * HOUR;

const sums = async (change: Partial<SeriesRequest>) => {
  const asked = { source: undefined, account: undefined, from: then, to: then + HOUR, step: HOUR };
  const now = Date.now();
  const series = await readSeries(
    env,
    await loadConfig(env, now),
    { metric: 'events', ...asked, ...change },
    now,
  );
  return series.points.map(({ value }) => value);
};

beforeAll(async () => {
  await publish({ accounts: { default: {}, sales: {} } });
  const shop = { source: 'shop' };
  await env.OUTBOX.getByName('default').accept({ event: eventOf(then, shop), messages: [] });
  await env.OUTBOX.getByName('default').accept({ event: eventOf(then + 7 * MINUTE, shop), messages: [] });
  const form = eventOf(then + 12 * MINUTE, { source: 'form' });
  await env.OUTBOX.getByName('sales').accept({ event: form, messages: [draft()] });
  for (const minute of [1, 2, 59])
    await registry(env).recordRejection({
      at: iso(then + minute * MINUTE),
      source: 'shop',
      status: 401,
      reason: 'mismatch',
      detail: 'x',
    });
});

describe('a series', () => {
  it('is summed up over all accounts, in steps of any length', async () => {
    expect(await sums({})).toEqual([3]);
    expect(await sums({ step: 10 * MINUTE })).toEqual([2, 1, 0, 0, 0, 0]);
    expect(await sums({ step: DAY, from: then, to: then + 1 })).toEqual([3]);
  });

  it('is narrowed down by account and source', async () => {
    expect(await sums({ account: 'sales' })).toEqual([1]);
    expect(await sums({ source: 'shop' })).toEqual([2]);
    expect(await sums({ source: 'shop', account: 'sales' })).toEqual([0]);
  });

  it('of rejections is what the registry has', async () => {
    expect(await sums({ metric: 'rejected', step: 30 * MINUTE })).toEqual([2, 1]);
    expect(await sums({ metric: 'rejected', source: 'form' })).toEqual([0]);
  });

  it('is the same after a restart', async () => {
    for (const name of ['default', 'sales']) await evictDurableObject(env.OUTBOX.getByName(name));
    await evictDurableObject(registry(env));
    expect(await sums({ step: 10 * MINUTE })).toEqual([2, 1, 0, 0, 0, 0]);
    expect(await sums({ metric: 'rejected' })).toEqual([3]);
  });
});

interface Answer {
  readonly step_seconds: number;
  readonly points: readonly { readonly at: string }[];
  readonly complete_from: string;
  readonly errors?: readonly { readonly path: string; readonly message: string }[];
}

const ask = (query: string) => admin<Answer>('GET', `/stats/series?${query}`);

describe('GET /stats/series', () => {
  it('has steps of five minutes up to a day, and of an hour beyond', async () => {
    const day = (await ask('metric=events')).body;
    expect(day.step_seconds).toBe(300);
    expect(day.points.length).toBeGreaterThanOrEqual(288);
    const week = (await ask('metric=sent&from=7d')).body;
    expect(week.step_seconds).toBe(3_600);
    expect(week.points.length).toBeGreaterThanOrEqual(168);
  });

  it('says that it is complete for a week, where all was counted', async () => {
    const { body } = await ask('metric=events&from=30d&step=1d');
    const age = Date.now() - Date.parse(body.complete_from);
    expect(age).toBeGreaterThanOrEqual(6 * DAY);
    expect(age).toBeLessThanOrEqual(7 * DAY);
  });

  it.each([
    ['', 'metric', 'must be one of'],
    ['metric=calls', 'metric', 'must be one of events, messages'],
    ['metric=sent&step=7m', 'step', 'a multiple of 5m'],
    ['metric=sent&step=1m', 'step', 'must be between 5m and 1d'],
    ['metric=sent&step=5m&from=8d', 'step', 'more than 2016 points'],
    ['metric=sent&from=1h&to=2h', 'from', 'before `to`'],
    ['metric=sent&account=nobody', 'account', 'there is no account `nobody`'],
    ['metric=rejected&account=sales', 'account', 'must be left out'],
  ])('refuses ?%s', async (query, path, message) => {
    const { status, body } = await ask(query);
    expect(status).toBe(422);
    expect(body.errors?.[0]?.path).toBe(path);
    expect(body.errors?.[0]?.message).toContain(message);
  });
});
