import { expect, test } from 'vitest';
import * as z from 'zod';
import { startSimulator } from '../../simulator/simulator.ts';
import { PHONE, TEXT, rawCall, startBench } from './harness.ts';

const problem = z.object({ status: z.number(), detail: z.string() });

/** The status and the explanation of a refusal. */
const refusal = async (answer: Response) => {
  const { detail } = problem.parse(await answer.json());
  return { status: answer.status, detail };
};
const NO_SCRIPT = { steps: [], repeat: false };

test('calls are listed by receiver, outcome, since and limit, and forgotten with the script', async () => {
  const bench = await startBench();
  await bench.script({ failure: 'empty', match: { phone: '33612345678' } }, { failure: 'ok', times: 2 });
  for (const phone of [PHONE, '33612345678', PHONE])
    await bench.call('/send-message.php', { ...TEXT, phone });
  const idsOf = async (query: string) => (await bench.calls(query)).items.map(({ id }) => id);
  expect(await idsOf(`?phone=${PHONE}`)).toEqual([1, 3]);
  expect(await idsOf('?outcome=empty')).toEqual([2]);
  expect(await idsOf('?since=1&limit=1')).toEqual([2]);
  expect(await idsOf('?limit=1')).toEqual([3]);
  expect(await bench.calls('?limit=0')).toMatchObject({ items: [], total: 3, delivered: 3 });
  await bench.script({ failure: 'html' });
  expect((await bench.control('DELETE', '/calls')).status).toBe(204);
  expect(await bench.calls()).toEqual({ items: [], total: 0, accepted: 0, delivered: 0 });
  expect(await (await bench.control('GET', '/script')).json()).toEqual(NO_SCRIPT);
});

test('a script shows what remains, is refused by the name of a field, and then leaves the old one active', async () => {
  const bench = await startBench();
  await bench.script({ failure: 'status', status: 503, times: 3 }, { failure: 'html' });
  await bench.call('/send-message.php', TEXT);
  const rows: readonly (readonly [object, string])[] = [
    [{ steps: [{ failure: 'ok' }, { failure: 'status', status: 42 }] }, 'steps[1].status'],
    [{ steps: [{ failure: 'explode' }] }, 'steps[0].failure'],
    [{ steps: [{ failure: 'html', match: { phone: '+49' } }] }, 'steps[0].match.phone'],
    [{ steps: [{ failure: 'html', tmes: 2 }] }, 'tmes'],
    [{ steps: 'html' }, 'steps'],
    [{}, 'steps'],
  ];
  for (const [document, detail] of rows) {
    const answer = await bench.control('PUT', '/script', document);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    const refused = await refusal(answer);
    expect(refused.status).toBe(400);
    expect(refused.detail).toContain(detail);
  }
  const left = [
    { failure: 'status', status: 503, times: 2 },
    { failure: 'html', times: 1 },
  ];
  expect(await (await bench.control('GET', '/script')).json()).toEqual({ steps: left, repeat: false });
});

test('what cannot be read is refused with how to ask', async () => {
  const bench = await startBench();
  for (const [query, detail] of [
    ['?since=abc', 'since: must be a whole number'],
    ['?limit=-1', 'limit: must be a whole number'],
    ['?fone=1', 'fone'],
  ] as const)
    expect((await refusal(await bench.control('GET', `/calls${query}`))).detail).toContain(detail);
  const noJson = await fetch(`${bench.simulator.url}/_control/script`, { method: 'PUT', body: '{steps' });
  expect((await refusal(noJson)).detail).toContain('{"steps": [{"failure": "status", "status": 503}]}');
  const large = await bench.control('PUT', '/script', { steps: [], padding: 'x'.repeat(4 * 1024 * 1024) });
  expect(large.status).toBe(413);
  const posted = await bench.control('POST', '/calls');
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, DELETE']);
  expect((await refusal(await bench.control('GET', '/cals'))).detail).toContain('/_control/calls');
  const outside = await fetch(`${bench.simulator.url}/send-message.php`, { method: 'POST' });
  expect([outside.status, await outside.text()]).toEqual([404, expect.stringContaining('/api/')]);
  const health = { ok: true, total: 0, accepted: 0, delivered: 0 };
  expect(await (await bench.control('GET', '/health')).json()).toEqual(health);
});

test('a simulator has a port of its own, shares nothing with another, and a taken port says what to do', async () => {
  const [one, other] = [await startBench(), await startBench()];
  await one.script({ failure: 'html' });
  expect(await (await other.control('GET', '/script')).json()).toEqual(NO_SCRIPT);
  const { port, url } = one.simulator;
  expect(url).toBe(`http://127.0.0.1:${port}`);
  await expect(startSimulator({ port })).rejects.toThrow(
    `Port ${port} on 127.0.0.1 is in use: stop the other process, or set SIMULATOR_PORT to another port.`,
  );
});

test('a simulator that closes ends calls that hang, streams and idle connections, and frees the port', async () => {
  const bench = await startBench();
  await bench.script({ failure: 'hang' });
  const hanging = rawCall(bench.simulator.port);
  const streamed = (await fetch(`${bench.simulator.url}/_control/events`)).text();
  await expect.poll(async () => (await bench.calls()).total).toBe(1);
  await bench.simulator.close();
  expect((await hanging).received).toBe('');
  await expect(streamed).rejects.toThrow(TypeError);
  await (await startSimulator({ port: bench.simulator.port })).close();
});
