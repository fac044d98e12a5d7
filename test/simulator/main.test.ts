import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startBench } from './harness.ts';

const MAIN = join(import.meta.dirname, '../../simulator/main.ts');

/** The simulator as a process, and what it has said so far. */
function run(port: string) {
  const child = spawn(process.execPath, [MAIN], { env: { ...process.env, SIMULATOR_PORT: port } });
  onTestFinished(() => void child.kill('SIGKILL'));
  const said = { out: '', error: '' };
  child.stdout.on('data', (chunk) => (said.out += String(chunk)));
  child.stderr.on('data', (chunk) => (said.error += String(chunk)));
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  return { said, ended, stop: () => child.kill('SIGTERM') };
}

test('starts on its own, says where it is, and stops when asked to', async () => {
  const { said, ended, stop } = run('0');
  const address = /GATEWAY_BASE_URL=(http:\/\/127\.0\.0\.1:\d+)\/api/;
  await expect.poll(() => said.out).toMatch(address);
  const health = await fetch(`${address.exec(said.out)?.[1]}/_control/health`);
  expect(health.status).toBe(200);
  stop();
  expect(await ended).toBe(0);
  expect(said.error).toBe('');
});

test.each(['abc', '-1', '70000'])('the port %j is refused', async (port) => {
  const { said, ended } = run(port);
  expect(await ended).toBe(1);
  expect(said).toEqual({
    out: '',
    error: 'SIMULATOR_PORT must be a port: a whole number from 0 to 65535.\n',
  });
});

test('a taken port is one clear line, not a stack trace', async () => {
  const { simulator } = await startBench();
  const { said, ended } = run(String(simulator.port));
  expect(await ended).toBe(1);
  expect(said.error).toMatch(/^Port \d+ on 127\.0\.0\.1 is in use: .*\n$/);
});
