import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Live } from '../../console/lib/live.ts';

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];

let items: readonly object[] = [];
/** The number of requests. */
let asked = 0;
const visible = () => Object.assign(new EventTarget(), { visibilityState: 'visible' });
let page = visible();

beforeEach(() => {
  [items, asked, page] = [[], 0, visible()];
  vi.useFakeTimers();
  vi.stubGlobal('document', page);
  vi.stubGlobal('fetch', async () => {
    asked += 1;
    return Response.json({ items, cursor: '1', missed: false });
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A page that is opened. */
function open(onNews = vi.fn()) {
  const [live, onState] = [new Live(), vi.fn()];
  live.start();
  live.listen({ onNews, onState });
  return { live, onNews, onState };
}

/** The number of requests in a time (ms). */
async function during(ms: number): Promise<number> {
  const before = asked;
  await vi.advanceTimersByTimeAsync(ms);
  return asked - before;
}

const touch = (name = 'keydown') => page.dispatchEvent(new Event(name));

test('a page has what is new within two seconds while somebody touches it or something happens', async () => {
  const { onNews, onState } = open();
  await during(0);
  expect(onState.mock.calls).toEqual([['lost'], ['on']]);
  await during(50 * SECOND);
  expect(onNews).not.toHaveBeenCalled();
  items = [{ type: 'event' }];
  expect(await during(2 * SECOND)).toBeGreaterThan(0);
  expect(onNews).toHaveBeenCalledWith(items);
  items = [];
  // A minute from the last news on.
  expect(await during(55 * SECOND)).toBeGreaterThanOrEqual(27);
  expect(await during(MINUTE)).toBeLessThan(8);
  touch();
  expect(await during(0)).toBe(1);
  expect(await during(30 * SECOND)).toBeGreaterThanOrEqual(15);
});

test('a page that nobody sees asks nothing, and at once when somebody sees it again', async () => {
  open();
  await during(MINUTE);
  page.visibilityState = 'hidden';
  touch('visibilitychange');
  expect(await during(12 * HOUR)).toBe(0);
  page.visibilityState = 'visible';
  touch('visibilitychange');
  expect(await during(0)).toBe(1);
});

test('a page that was not touched for an hour asks nothing, and at once when it is', async () => {
  const { onState } = open();
  await during(HOUR);
  expect(await during(12 * HOUR)).toBe(0);
  expect(onState).toHaveBeenLastCalledWith('off');
  touch('pointermove');
  expect(await during(0)).toBe(1);
  expect(onState).toHaveBeenLastCalledWith('on');
});

test('a page that is left open for a day of storm costs at most 3,000 requests, the first screen among them', async () => {
  items = [{ type: 'event' }];
  // What the first screen loads with news, and each minute.
  const { live } = open(vi.fn(() => (asked += 5)));
  setInterval(() => live.isLookedAt && (asked += 6), MINUTE);
  expect(await during(24 * HOUR)).toBeLessThan(3_000);
  expect(asked).toBeGreaterThan(1_000);
});
