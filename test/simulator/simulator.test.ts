import { expect, test } from 'vitest';
import { startSimulator } from '../../simulator/simulator.ts';
import { rawCall, startBench } from './harness.ts';

test('port 0 is any free port, and the URL names it', async () => {
  const { simulator } = await startBench();
  expect(simulator.port).toBeGreaterThan(0);
  expect(simulator.url).toBe(`http://127.0.0.1:${simulator.port}`);
});

test('a taken port is refused with what to do about it', async () => {
  const { simulator } = await startBench();
  await expect(startSimulator({ port: simulator.port })).rejects.toThrow(
    `Port ${simulator.port} on 127.0.0.1 is in use: stop the other process, or set SIMULATOR_PORT to another port.`,
  );
});

test('close ends calls that hang, streams and idle connections, and frees the port', async () => {
  const bench = await startBench();
  await bench.script({ failure: 'hang' });
  const hanging = rawCall(bench.simulator.port);
  const stream = await fetch(`${bench.simulator.url}/_control/events`);
  const streamed = stream.text();
  await expect.poll(async () => (await bench.calls()).total).toBe(1);
  await bench.simulator.close();
  expect((await hanging).received).toBe('');
  await expect(streamed).rejects.toThrow(TypeError);
  const second = await startSimulator({ port: bench.simulator.port });
  await second.close();
});

test('a path outside the API says where the API is', async () => {
  const { simulator } = await startBench();
  const answer = await fetch(`${simulator.url}/send-message.php`, { method: 'POST' });
  expect(answer.status).toBe(404);
  expect(await answer.text()).toContain('/api/');
});

test('simulators do not share what they keep', async () => {
  const [one, other] = [await startBench(), await startBench()];
  await one.script({ failure: 'html' });
  expect(await (await other.control('GET', '/script')).json()).toEqual({ steps: [], repeat: false });
});
