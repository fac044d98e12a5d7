import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ROOT } from '../../cli/built.ts';

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
