import { describe, expect, test } from 'vitest';
import { LOGIN, PHONE, TEXT, failureBody, rawCall, startBench } from './harness.ts';

const send = (bench: Awaited<ReturnType<typeof startBench>>) => bench.call('/send-message.php', TEXT);
const bodyOf = ({ received }: { received: string }) => received.slice(received.indexOf('\r\n\r\n') + 4);
const lengthOf = ({ received }: { received: string }) => Number(/content-length: (\d+)/i.exec(received)?.[1]);

describe('failures with an answer', () => {
  test('status: any code, with headers and a JSON failure', async () => {
    const bench = await startBench();
    await bench.script({ failure: 'status', status: 429, headers: { 'Retry-After': '120' } });
    const answer = await send(bench);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '120']);
    expect(failureBody.parse(await answer.json()).data.status_code).toBe(429);
    expect((await bench.calls()).items).toMatchObject([{ outcome: 'status', status: 429, delivered: false }]);
  });

  test('status: a body and content type of its own', async () => {
    const bench = await startBench();
    await bench.script({
      failure: 'status',
      status: 500,
      body: '<b>Oops</b>',
      headers: { 'Content-Type': 'text/html' },
    });
    const answer = await send(bench);
    expect([answer.headers.get('content-type'), await answer.text()]).toEqual(['text/html', '<b>Oops</b>']);
  });

  test('status: a redirect carries its Location', async () => {
    const bench = await startBench();
    await bench.script({
      failure: 'status',
      status: 302,
      headers: { Location: 'https://elsewhere.example/' },
    });
    const answer = await fetch(`${bench.simulator.url}/api/send-message.php`, {
      method: 'POST',
      body: new URLSearchParams(TEXT),
      redirect: 'manual',
    });
    expect([answer.status, answer.headers.get('location')]).toEqual([302, 'https://elsewhere.example/']);
  });

  test.each([204, 304])('status: %i has no body', async (status) => {
    const bench = await startBench();
    await bench.script({ failure: 'status', status, body: 'ignored' });
    const answer = await send(bench);
    expect([answer.status, await answer.text()]).toEqual([status, '']);
  });

  test('refused: 200 that says no', async () => {
    const bench = await startBench();
    await bench.script({ failure: 'refused', message: 'Number not on the network', status_code: 404 });
    const answer = await send(bench);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({
      success: false,
      message: 'Number not on the network',
      data: { status_code: 404 },
    });
    expect((await bench.calls()).items).toMatchObject([{ outcome: 'refused', delivered: false }]);
  });

  test('html: 200 with a page', async () => {
    const bench = await startBench();
    await bench.script({ failure: 'html' });
    const answer = await send(bench);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(await answer.text()).toMatch(/^<!doctype html>/);
  });

  test('empty: 200 without a body', async () => {
    const bench = await startBench();
    await bench.script({ failure: 'empty' });
    const answer = await send(bench);
    expect([answer.status, await answer.text()]).toEqual([200, '']);
  });

  test('garbage: a complete answer whose JSON is not', async () => {
    const bench = await startBench();
    await bench.script({ failure: 'garbage' });
    const answer = await send(bench);
    const text = await answer.text();
    expect(answer.headers.get('content-length')).toBe(String(text.length));
    expect(text).toContain('"success":true');
    expect(() => void JSON.parse(text)).toThrow(SyntaxError);
  });

  test.each([undefined, 403])(
    'echo_secret: the credentials stand in the message (status %s)',
    async (status) => {
      const bench = await startBench();
      await bench.script({ failure: 'echo_secret', ...(status !== undefined && { status }) });
      const answer = await bench.call('/send-message.php', { ...TEXT, app_key: 'app-77' });
      expect(answer.status).toBe(status ?? 200);
      const { message } = failureBody.parse(await answer.json());
      for (const secret of [LOGIN.email, LOGIN.api_key, 'app-77']) expect(message).toContain(secret);
    },
  );

  test('huge: a success of the size that was asked for', async () => {
    const bench = await startBench();
    await bench.script({ failure: 'huge', bytes: 3_000_000 });
    const text = await (await send(bench)).text();
    expect(text.length).toBeGreaterThan(3_000_000);
    expect(JSON.parse(text)).toMatchObject({ success: true, data: { to: PHONE } });
  });

  test('huge: a reader that leaves early does no harm', async () => {
    const bench = await startBench();
    await bench.script({ failure: 'huge', bytes: 1024 * 1024 * 1024 });
    await (await send(bench)).body?.cancel();
    expect((await send(bench)).status).toBe(200);
  });
});

describe('failures of time', () => {
  test('slow: a success when the time has come, and the phone has the message before', async () => {
    const bench = await startBench();
    await bench.script({ failure: 'slow', ms: 9000 });
    const pending = send(bench);
    await expect
      .poll(async () => (await bench.calls()).items)
      .toMatchObject([{ outcome: 'slow', status: 200, delivered: true }]);
    expect(bench.timers.map(({ ms }) => ms)).toEqual([9000]);
    bench.timers[0]?.fire();
    expect(await (await pending).json()).toMatchObject({ success: true });
  });

  test('hang: no answer until the simulator closes', async () => {
    const bench = await startBench();
    await bench.script({ failure: 'hang' });
    const pending = rawCall(bench.simulator.port);
    await expect
      .poll(async () => (await bench.calls()).items)
      .toMatchObject([{ outcome: 'hang', status: null, delivered: true }]);
    await bench.simulator.close();
    expect((await pending).received).toBe('');
  });

  test('hang with ms: the connection is dropped without an answer', async () => {
    const bench = await startBench();
    await bench.script({ failure: 'hang', ms: 500 });
    const pending = rawCall(bench.simulator.port);
    await expect.poll(() => bench.timers.map(({ ms }) => ms)).toEqual([500]);
    bench.timers[0]?.fire();
    expect((await pending).received).toBe('');
  });
});

describe('failures of the connection', () => {
  test('cut: the body ends before its length, and so does the connection', async () => {
    const bench = await startBench();
    await bench.script({ failure: 'cut' });
    const answer = await rawCall(bench.simulator.port);
    expect(answer.received).toMatch(/^HTTP\/1\.1 200 /);
    expect(bodyOf(answer).length).toBeGreaterThan(0);
    expect(bodyOf(answer).length).toBeLessThan(lengthOf(answer));
    expect((await bench.calls()).items).toMatchObject([{ outcome: 'cut', delivered: true }]);
  });

  test('cut: fetch sees the answer begin and its body fail', async () => {
    const bench = await startBench();
    await bench.script({ failure: 'cut' });
    const answer = await send(bench);
    expect(answer.status).toBe(200);
    await expect(answer.text()).rejects.toThrow(TypeError);
  });

  test('reset: a TCP reset after the call was read', async () => {
    const bench = await startBench();
    await bench.script({ failure: 'reset' });
    expect(await rawCall(bench.simulator.port)).toEqual({ received: '', ended: 'ECONNRESET' });
    expect((await bench.calls()).items).toMatchObject([{ outcome: 'reset', status: null, delivered: true }]);
  });

  test('reset_before: a TCP reset, and nothing was read or recorded', async () => {
    const bench = await startBench();
    await bench.script({ failure: 'reset_before' });
    expect(await rawCall(bench.simulator.port)).toEqual({ received: '', ended: 'ECONNRESET' });
    expect((await bench.calls()).total).toBe(0);
  });
});

test('a step may say otherwise whether the phone gets the message', async () => {
  const bench = await startBench();
  await bench.script(
    { failure: 'status', status: 500, delivered: true },
    { failure: 'empty', delivered: false },
  );
  await send(bench);
  await send(bench);
  expect((await bench.calls()).items).toMatchObject([{ delivered: true }, { delivered: false }]);
});

test('after a script all is normal again', async () => {
  const bench = await startBench();
  await bench.script({ failure: 'status', status: 500, times: 2 });
  const statuses = [(await send(bench)).status, (await send(bench)).status, (await send(bench)).status];
  expect(statuses).toEqual([500, 500, 200]);
  expect(await bench.calls()).toMatchObject({ total: 3, accepted: 1, delivered: 1 });
});
