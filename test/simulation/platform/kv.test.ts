import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PLACES } from '../simulation.ts';
import type { Fault } from './fault-plan.ts';
import { MINUTE, RUNS, SECOND, START, startBench } from './harness.ts';
import type { Bench, BenchOptions, Env } from './harness.ts';

const KEY = 'config';
const [HERE, , ELSEWHERE] = PLACES;

/** A Worker that reads and writes one key. */
const worker = () => ({
  default: {
    async fetch(request: Request, { CONFIG }: Env): Promise<Response> {
      try {
        if (request.method === 'DELETE') await CONFIG.delete(KEY);
        else if (request.method === 'PUT') await CONFIG.put(KEY, await request.text());
        else {
          const ttl = request.headers.get('ttl');
          return Response.json(await CONFIG.get(KEY, ttl === null ? {} : { cacheTtl: Number(ttl) }));
        }
        return Response.json('written');
      } catch (thrown) {
        return Response.json({ error: String(thrown) });
      }
    },
  },
});

const start = (options: BenchOptions = {}): Bench => startBench(worker, { isEverywhere: true, ...options });

async function ask(bench: Bench, place: string, init: RequestInit = {}): Promise<unknown> {
  const answer = bench.platform.request(place, new Request('https://relay.example', init));
  return await bench.until(answer.then((response) => response.json()));
}

const put = (bench: Bench, place: string, body: string) => ask(bench, place, { method: 'PUT', body });

const faultAt = (place: string, kind: 'KV behind' | 'KV read fails' | 'KV write fails', ms = 0): Fault => ({
  kind,
  name: `${kind} at ${place}`,
  at: START,
  until: START + 60 * MINUTE,
  place,
  ms,
});

test('a value is seen at once where it was written, and within a minute where the key was missing before', async () => {
  const bench = start();
  for (const place of [HERE, ELSEWHERE]) expect(await ask(bench, place)).toBeNull();
  await put(bench, HERE, 'one');
  expect(await ask(bench, HERE)).toBe('one');
  await bench.pass(30 * SECOND);
  expect(await ask(bench, ELSEWHERE)).toBeNull();
  await bench.pass(30 * SECOND);
  expect(await ask(bench, ELSEWHERE)).toBe('one');
});

test('a value that was deleted is gone within a minute', async () => {
  const bench = start();
  await put(bench, HERE, 'one');
  expect(await ask(bench, ELSEWHERE)).toBe('one');
  await ask(bench, HERE, { method: 'DELETE' });
  expect([await ask(bench, HERE), await ask(bench, ELSEWHERE)]).toEqual([null, 'one']);
  await bench.pass(MINUTE);
  expect(await ask(bench, ELSEWHERE)).toBeNull();
});

test('a value is remembered no longer than its reader says', async () => {
  const bench = start();
  expect(await ask(bench, ELSEWHERE, { headers: { ttl: '30' } })).toBeNull();
  await put(bench, HERE, 'one');
  await bench.pass(30 * SECOND);
  expect(await ask(bench, ELSEWHERE)).toBe('one');
});

test('a value of a minute ago is still seen by a place that is behind, however many were written since', async () => {
  const bench = start({ faults: [faultAt(ELSEWHERE, 'KV behind', 59 * SECOND)] });
  await put(bench, HERE, 'old');
  await bench.pass(MINUTE);
  for (let number = 0; number < 25; number += 1) {
    await put(bench, HERE, String(number));
    await bench.pass(SECOND);
  }
  expect(await ask(bench, ELSEWHERE)).toBe('old');
});

test('a value is never older than a minute, wherever it is read and however far a place is behind', async () => {
  const OPERATION = fc.record({
    afterMs: fc.integer({ min: 0, max: 40 * SECOND }),
    place: fc.constantFrom(...PLACES),
    isWrite: fc.boolean(),
  });
  const ALL = fc.array(OPERATION, { maxLength: 14 });
  const BEHIND = fc.record({ place: fc.constantFrom(...PLACES), ms: fc.integer({ min: 0, max: MINUTE }) });
  await fc.assert(
    fc.asyncProperty(ALL, BEHIND, fc.nat(), async (all, behind, seed) => {
      const bench = start({ seed, faults: [faultAt(behind.place, 'KV behind', behind.ms)] });
      const written: { value: string | null; until: number }[] = [{ value: null, until: 0 }];
      for (const [index, { afterMs, place, isWrite }] of all.entries()) {
        await bench.pass(SECOND + afterMs);
        const from = bench.now();
        if (isWrite) {
          expect(await put(bench, place, String(index))).toBe('written');
          written.push({ value: String(index), until: bench.now() });
          continue;
        }
        const value = await ask(bench, place);
        const number = written.findIndex((one) => one.value === value);
        expect(number).toBeGreaterThanOrEqual(0);
        // The value that replaced it was written less than a minute before.
        expect((written[number + 1]?.until ?? Infinity) + MINUTE).toBeGreaterThanOrEqual(from);
      }
    }),
    RUNS,
  );
});

test('what is refused is a second write of a key within a second, and to remember a value for less than 30 s', async () => {
  const bench = start();
  const answers = [put(bench, HERE, 'one'), put(bench, ELSEWHERE, 'two')];
  expect(new Set(await Promise.all(answers))).toEqual(
    new Set(['written', { error: 'Error: KV PUT failed: 429 Too Many Requests' }]),
  );
  await bench.pass(SECOND);
  expect(await put(bench, ELSEWHERE, 'three')).toBe('written');
  expect(await ask(bench, HERE, { headers: { ttl: '29' } })).toEqual({
    error: 'Error: Invalid cache_ttl of 29. Cache TTL must be at least 30.',
  });
});

test('what is refused is all that a place asks for while it fails there, and nothing elsewhere', async () => {
  const bench = start({ faults: [faultAt(HERE, 'KV write fails'), faultAt(ELSEWHERE, 'KV read fails')] });
  expect(await put(bench, HERE, 'one')).toEqual({
    error: 'Error: KV PUT failed: 500 Internal Server Error',
  });
  expect(await ask(bench, HERE)).toBeNull();
  expect(await put(bench, ELSEWHERE, 'two')).toBe('written');
  expect(await ask(bench, ELSEWHERE)).toEqual({ error: 'Error: KV GET failed: 500 Internal Server Error' });
  bench.platform.calm();
  expect(await ask(bench, ELSEWHERE)).toBe('two');
});
