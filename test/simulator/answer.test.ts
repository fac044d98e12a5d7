import { expect, test } from 'vitest';
import { PHONE, TEXT, failureBody, rawCall, startBench, type Bench } from './harness.ts';

const send = (bench: Bench) => bench.call('/send-message.php', TEXT);

/** A simulator that answers by these steps. */
async function benchWith(...steps: readonly object[]): Promise<Bench> {
  const bench = await startBench();
  await bench.script(...steps);
  return bench;
}

test('a status has its code, headers and body, or a failure in JSON; a redirect its Location', async () => {
  const bench = await benchWith(
    { failure: 'status', status: 429, headers: { 'Retry-After': '120' } },
    { failure: 'status', status: 500, body: '<b>Oops</b>', headers: { 'Content-Type': 'text/html' } },
    { failure: 'status', status: 204, body: 'ignored' },
    { failure: 'status', status: 304, body: 'ignored' },
    { failure: 'status', status: 302, headers: { Location: 'https://elsewhere.example/' } },
  );
  const busy = await send(bench);
  expect([busy.status, busy.headers.get('retry-after')]).toEqual([429, '120']);
  expect(failureBody.parse(await busy.json()).data.status_code).toBe(429);
  expect((await bench.calls()).items).toMatchObject([{ outcome: 'status', status: 429, delivered: false }]);
  const page = await send(bench);
  expect([page.headers.get('content-type'), await page.text()]).toEqual(['text/html', '<b>Oops</b>']);
  for (const status of [204, 304]) {
    const answer = await send(bench);
    expect([answer.status, await answer.text()]).toEqual([status, '']);
  }
  const body = new URLSearchParams(TEXT);
  const url = `${bench.simulator.url}/api/send-message.php`;
  const moved = await fetch(url, { method: 'POST', body, redirect: 'manual' });
  expect([moved.status, moved.headers.get('location')]).toEqual([302, 'https://elsewhere.example/']);
});

test('an answer of status 200 may say no, be a page, be empty, or be no JSON', async () => {
  const message = 'Number not on the network';
  const others = ['html', 'empty', 'garbage'].map((failure) => ({ failure }));
  const bench = await benchWith({ failure: 'refused', message, status_code: 404 }, ...others);
  const answers = [await send(bench), await send(bench), await send(bench), await send(bench)];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const [refused = '', html = '', empty, garbage = ''] = await Promise.all(answers.map((one) => one.text()));
  expect(JSON.parse(refused)).toEqual({ success: false, message, data: { status_code: 404 } });
  expect(html).toMatch(/^<!doctype html>/);
  expect(empty).toBe('');
  expect(answers[3]?.headers.get('content-length')).toBe(String(garbage.length));
  expect(garbage).toContain('"success":true');
  expect(() => void JSON.parse(garbage)).toThrow(SyntaxError);
  expect((await bench.calls()).items[0]).toMatchObject({ outcome: 'refused', delivered: false });
});

test('an answer may be huge, and a reader that leaves early does no harm', async () => {
  const bench = await benchWith({ failure: 'huge', bytes: 3_000_000 }, { failure: 'huge', bytes: 1024 ** 3 });
  const text = await (await send(bench)).text();
  expect(text.length).toBeGreaterThan(3_000_000);
  expect(JSON.parse(text)).toMatchObject({ success: true, data: { to: PHONE } });
  await (await send(bench)).body?.cancel();
  expect((await send(bench)).status).toBe(200);
});

test('a slow answer is a success when the time has come, and the phone has the message before', async () => {
  const bench = await benchWith({ failure: 'slow', ms: 9000 });
  const pending = send(bench);
  const slow = { outcome: 'slow', status: 200, delivered: true };
  await expect.poll(async () => (await bench.calls()).items).toMatchObject([slow]);
  expect(bench.timers.map(({ ms }) => ms)).toEqual([9000]);
  bench.timers[0]?.fire();
  expect(await (await pending).json()).toMatchObject({ success: true });
});

test('a call that hangs gets no answer: until its time has come, or the simulator closes', async () => {
  const bench = await benchWith({ failure: 'hang', ms: 500 }, { failure: 'hang' });
  const dropped = rawCall(bench.simulator.port);
  await expect.poll(() => bench.timers.map(({ ms }) => ms)).toEqual([500]);
  bench.timers[0]?.fire();
  expect((await dropped).received).toBe('');
  const pending = rawCall(bench.simulator.port);
  const hang = { outcome: 'hang', status: null, delivered: true };
  await expect.poll(async () => (await bench.calls()).items).toMatchObject([hang, hang]);
  await bench.simulator.close();
  expect((await pending).received).toBe('');
});

test('an answer that is cut ends before its length, and so does the connection', async () => {
  const bench = await benchWith({ failure: 'cut', times: 2 });
  const { received } = await rawCall(bench.simulator.port);
  const body = received.slice(received.indexOf('\r\n\r\n') + 4);
  expect(received).toMatch(/^HTTP\/1\.1 200 /);
  expect(body.length).toBeGreaterThan(0);
  expect(body.length).toBeLessThan(Number(/content-length: (\d+)/i.exec(received)?.[1]));
  expect((await bench.calls()).items).toMatchObject([{ outcome: 'cut', delivered: true }]);
  await expect((await send(bench)).text()).rejects.toThrow(TypeError);
});

test('a connection is reset after the call was read, or before, when nothing is recorded', async () => {
  const bench = await benchWith({ failure: 'reset_before' }, { failure: 'reset' });
  const reset = { received: '', ended: 'ECONNRESET' };
  expect(await rawCall(bench.simulator.port)).toEqual(reset);
  expect((await bench.calls()).total).toBe(0);
  expect(await rawCall(bench.simulator.port)).toEqual(reset);
  expect((await bench.calls()).items).toMatchObject([{ outcome: 'reset', status: null, delivered: true }]);
});

test('a step may say otherwise whether the phone gets the message, and after a script all is normal again', async () => {
  const bench = await benchWith(
    { failure: 'status', status: 500, delivered: true },
    { failure: 'empty', delivered: false },
  );
  for (const status of [500, 200, 200]) expect((await send(bench)).status).toBe(status);
  const { items } = await bench.calls();
  expect(items.map(({ delivered }) => delivered)).toEqual([true, false, true]);
});
