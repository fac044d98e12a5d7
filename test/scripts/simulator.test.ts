import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ROOT } from '../../cli/built.ts';
import { startSimulator } from '../../simulator/simulator.ts';

/** The simulator as a process, and what it has said so far. */
function run(port: string) {
  const env = { ...process.env, SIMULATOR_PORT: port };
  const child = spawn(process.execPath, [join(ROOT, 'simulator/main.ts')], { env });
  onTestFinished(() => void child.kill('SIGKILL'));
  const said = { out: '', error: '' };
  child.stdout.on('data', (chunk) => (said.out += String(chunk)));
  child.stderr.on('data', (chunk) => (said.error += String(chunk)));
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  return { said, ended, stop: () => child.kill('SIGTERM') };
}

test('the simulator starts on its own, says where it is, and stops when asked to', async () => {
  const { said, ended, stop } = run('0');
  const address = /GATEWAY_BASE_URL=(http:\/\/127\.0\.0\.1:\d+)\/api/;
  await expect.poll(() => said.out).toMatch(address);
  expect((await fetch(`${address.exec(said.out)?.[1]}/_control/health`)).status).toBe(200);
  stop();
  expect([await ended, said.error]).toEqual([0, '']);
});

test('a port that is none, or is taken, is one clear line', async () => {
  const simulator = await startSimulator({ port: 0 });
  onTestFinished(() => simulator.close());
  const [none, taken] = [run('70000'), run(String(simulator.port))];
  expect([await none.ended, await taken.ended]).toEqual([1, 1]);
  expect(none.said.error).toBe('SIMULATOR_PORT must be a port: a whole number from 0 to 65535.\n');
  expect(taken.said.error).toMatch(/^Port \d+ on 127\.0\.0\.1 is in use: .*\n$/);
});
