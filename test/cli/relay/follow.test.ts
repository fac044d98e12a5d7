import { afterEach, expect, it, vi } from 'vitest';
import { ok } from '../../../src/lib/result.ts';
import { createClient } from '../../../cli/client.ts';
import { follow } from '../../../cli/relay/follow.ts';

const [HOUR, DAY] = [3_600_000, 86_400_000];

afterEach(() => vi.unstubAllGlobals());

/**
 * A tail over a day of storm, in which there is always more than the relay still knows. `keys`: the times at which Enter
 * is pressed after a pause (ms from the start); null: there is no terminal.
 */
async function aDay(keys: number[] | null) {
  const start = Date.now();
  const said: string[] = [];
  const [end, never] = [Promise.withResolvers<void>(), Promise.withResolvers<void>().promise];
  let [now, requests] = [start, 0];
  vi.stubGlobal('fetch', async (url: string) => {
    requests += 1;
    const page = url.includes('/tail') ? { cursor: '1', missed: true } : { next_cursor: null };
    return Response.json({ items: [], ...page });
  });
  const press = Promise.withResolvers<void>();
  void follow(
    createClient(() => ok({ url: 'https://relay.example', token: 'x' })),
    {
      query: {},
      start: null,
      onStart: () => said.push('begins'),
      onChange: () => undefined,
      onWarning: (text) => {
        said.push(text);
        const key = keys?.shift();
        if (key === undefined) return end.resolve();
        now = start + key;
        press.resolve();
      },
      enter: keys && (() => (said.length < 2 ? press.promise : never)),
      clock: () => now,
      pause: async (ms) => {
        now += ms;
        if (now < start + DAY) return;
        end.resolve();
        await never;
      },
    },
  );
  await end.promise;
  return { requests, said, hours: (now - start) / HOUR };
}

it('a tail in a pipe goes on for a day of storm, with at most 3,000 requests', async () => {
  const { requests, said } = await aDay(null);
  expect(said).toEqual(['begins']);
  expect(requests).toBeGreaterThan(2_000);
  expect(requests).toBeLessThanOrEqual(3_000);
});

it('a tail on a terminal pauses an hour after the last key, and says so', async () => {
  const { requests, said, hours } = await aDay([5 * HOUR]);
  const pause = 'paused, since no key was pressed for an hour: Enter goes on';
  expect(said).toEqual(['begins', pause, pause]);
  expect(hours).toBeCloseTo(6, 1);
  expect(requests).toBeLessThanOrEqual(3_000);
});
