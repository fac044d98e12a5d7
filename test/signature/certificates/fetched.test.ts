import { afterEach, expect, it, vi } from 'vitest';
import { HOUR } from '../../../src/lib/time.ts';
import { ok } from '../../../src/lib/result.ts';
import { Fetched } from '../../../src/signature/certificates/fetched.ts';
import { NOW } from '../support.ts';

/** Addresses that answer with how often they were asked, those with `bad` in them with a failure. */
function outside() {
  const fetched = new Fetched(async (text) => ok(Number(text)), {});
  const asked: string[] = [];
  const answer: typeof fetch = async (input) => {
    const address = input instanceof Request ? input.url : input.toString();
    asked.push(address);
    return address.includes('bad') ? refusal() : new Response(String(asked.length));
  };
  const get = (address: string, now = NOW, maxAge?: number, fetch = answer) =>
    fetched.get(address, { now, fetch }, maxAge);
  return { asked, get };
}

const refusal = () => new Response('', { status: 503 });
const failed = (asked: boolean) => ({ ok: false, error: { fault: 'its server answered 503', asked } });
const refuse = async () => refusal();
const never = () => new Promise<never>(() => undefined);
const invented = (count: number) => Array.from({ length: count }, (_, n) => `bad-${n}`);

afterEach(() => {
  vi.useRealTimers();
});

it('what others serve is asked for once while it is fresh, and again for whoever needs a younger answer', async () => {
  const { get } = outside();
  expect(await get('a')).toEqual({ ok: true, value: 1 });
  expect(await get('a', NOW + HOUR - 1)).toEqual({ ok: true, value: 1 });
  expect(await get('a', NOW + HOUR - 1, 10_000)).toEqual({ ok: true, value: 2 });
  expect(await get('a', NOW + HOUR)).toEqual({ ok: true, value: 2 });
});

it('what others serve fails in the same way for five seconds, and says who asked', async () => {
  const { get, asked } = outside();
  expect(await get('bad')).toEqual(failed(true));
  expect(await get('bad', NOW + 4_999)).toEqual(failed(false));
  expect(await get('bad', NOW + 5_000)).toEqual(failed(true));
  expect(asked).toHaveLength(2);
});

it('what others serve that fails later keeps its answer for whoever may use the old one', async () => {
  const { get } = outside();
  await get('a');
  expect(await get('a', NOW + 10_000, 1_000, refuse)).toMatchObject({ ok: false });
  expect(await get('a', NOW + 10_000)).toEqual({ ok: true, value: 1 });
});

it('what others serve is forgotten for other addresses, those that never answered first', async () => {
  const { get, asked } = outside();
  await get('a');
  for (const address of invented(100)) await get(address);
  asked.length = 0;
  await get('a');
  expect(asked).toEqual([]);
  for (let n = 0; n < 64; n += 1) await get(`b-${n}`);
  asked.length = 0;
  await get('a');
  expect(asked).toEqual(['a']);
});

it('what others serve is asked for once by all who need the same at once', async () => {
  const { get, asked } = outside();
  const got = await Promise.all(Array.from({ length: 50 }, () => get('a')));
  expect(got.every(({ ok: answered }) => answered)).toBe(true);
  expect(asked).toEqual(['a']);
});

it('what others serve at addresses that never answered is asked for at four of them at once, and at one that did besides', async () => {
  const { get, asked } = outside();
  await get('a');
  asked.length = 0;
  const all = await Promise.all([...invented(50).map((one) => get(one)), get('a', NOW + HOUR)]);
  expect(asked).toEqual(['bad-0', 'bad-1', 'bad-2', 'bad-3', 'a']);
  expect(all.at(4)).toEqual({
    ok: false,
    error: { fault: 'too many others are being fetched', asked: false },
  });
  // They are done, and so others may be asked.
  expect(await get('b')).toMatchObject({ ok: true });
});

it('what others serve whose requests were cancelled takes the places of others for five seconds', async () => {
  vi.useFakeTimers();
  const { get } = outside();
  const waits = invented(4).map((one) => get(one, NOW, undefined, never));
  expect(await get('b')).toMatchObject({ ok: false });
  await vi.advanceTimersByTimeAsync(5_000);
  expect((await Promise.all(waits))[0]).toEqual({
    ok: false,
    error: { fault: 'its server did not answer in time', asked: true },
  });
  expect(await get('b', NOW + 5_000)).toMatchObject({ ok: true });
});
