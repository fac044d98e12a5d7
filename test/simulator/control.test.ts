import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { PHONE, TEXT, startBench } from './harness.ts';

const problem = z.object({ status: z.number(), detail: z.string() });
const detailOf = async (answer: Response) => problem.parse(await answer.json()).detail;

describe('/_control/calls', () => {
  test('lists by receiver, outcome, since and limit', async () => {
    const bench = await startBench();
    await bench.script({ failure: 'empty', match: { phone: '33612345678' } });
    await bench.call('/send-message.php', TEXT);
    await bench.call('/send-message.php', { ...TEXT, phone: '33612345678' });
    await bench.call('/send-message.php', TEXT);
    const idsOf = async (query: string) => (await bench.calls(query)).items.map(({ id }) => id);
    expect(await idsOf(`?phone=${PHONE}`)).toEqual([1, 3]);
    expect(await idsOf('?outcome=empty')).toEqual([2]);
    expect(await idsOf('?since=1&limit=1')).toEqual([2]);
    expect(await idsOf('?limit=1')).toEqual([3]);
    expect(await bench.calls('?limit=0')).toEqual({ items: [], total: 3, accepted: 2, delivered: 3 });
  });

  test.each([
    ['?since=abc', 'since: must be a whole number'],
    ['?limit=-1', 'limit: must be a whole number'],
    ['?fone=1', 'fone'],
  ])('%s is refused by the name of the field', async (query, detail) => {
    const bench = await startBench();
    const answer = await bench.control('GET', `/calls${query}`);
    expect(answer.status).toBe(400);
    expect(await detailOf(answer)).toContain(detail);
  });

  test('DELETE forgets the calls and the script', async () => {
    const bench = await startBench();
    await bench.call('/send-message.php', TEXT);
    await bench.script({ failure: 'html' });
    expect((await bench.control('DELETE', '/calls')).status).toBe(204);
    expect(await bench.calls()).toEqual({ items: [], total: 0, accepted: 0, delivered: 0 });
    expect(await (await bench.control('GET', '/script')).json()).toEqual({ steps: [], repeat: false });
  });
});

describe('/_control/script', () => {
  test('shows what remains', async () => {
    const bench = await startBench();
    await bench.script({ failure: 'status', status: 503, times: 3 }, { failure: 'html' });
    await bench.call('/send-message.php', TEXT);
    expect(await (await bench.control('GET', '/script')).json()).toEqual({
      steps: [
        { failure: 'status', status: 503, times: 2 },
        { failure: 'html', times: 1 },
      ],
      repeat: false,
    });
  });

  test.each([
    [{ steps: [{ failure: 'ok' }, { failure: 'status', status: 42 }] }, 'steps[1].status'],
    [{ steps: [{ failure: 'explode' }] }, 'steps[0].failure'],
    [
      { steps: [{ failure: 'html', match: { phone: '+49' } }] },
      'steps[0].match.phone: must be 7 to 15 digits',
    ],
    [{ steps: [{ failure: 'html', tmes: 2 }] }, 'tmes'],
    [{ steps: 'html' }, 'steps'],
    [{}, 'steps'],
  ])('refuses %j and names the field', async (document, detail) => {
    const bench = await startBench();
    const answer = await bench.control('PUT', '/script', document);
    expect(answer.status).toBe(400);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(await detailOf(answer)).toContain(detail);
  });

  test('a refused script leaves the old one in force', async () => {
    const bench = await startBench();
    await bench.script({ failure: 'html' });
    await bench.control('PUT', '/script', { steps: [{ failure: 'explode' }] });
    expect(await (await bench.control('GET', '/script')).json()).toMatchObject({
      steps: [{ failure: 'html' }],
    });
  });

  test('a body that is not JSON is refused with an example', async () => {
    const bench = await startBench();
    const answer = await fetch(`${bench.simulator.url}/_control/script`, { method: 'PUT', body: '{steps' });
    expect(answer.status).toBe(400);
    expect(await detailOf(answer)).toContain('{"steps": [{"failure": "status", "status": 503}]}');
  });

  test('a script larger than 4 MiB is refused', async () => {
    const bench = await startBench();
    const answer = await bench.control('PUT', '/script', { steps: [], padding: 'x'.repeat(4 * 1024 * 1024) });
    expect(answer.status).toBe(413);
  });
});

test('/_control/health answers with the counts', async () => {
  const bench = await startBench();
  expect(await (await bench.control('GET', '/health')).json()).toEqual({
    ok: true,
    total: 0,
    accepted: 0,
    delivered: 0,
  });
});

test.each([
  ['POST', '/calls', 'GET, DELETE'],
  ['DELETE', '/script', 'GET, PUT'],
  ['PATCH', '/health', 'GET'],
])('%s %s is answered 405 with what is allowed', async (method, path, allow) => {
  const bench = await startBench();
  const answer = await bench.control(method, path);
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, allow]);
});

test('an unknown path is answered with the known ones', async () => {
  const bench = await startBench();
  const answer = await bench.control('GET', '/cals');
  expect(answer.status).toBe(404);
  expect(await detailOf(answer)).toContain('/_control/calls');
});
