import { appendFileSync, existsSync, statSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeUpSecrets, missingSecrets, readDevVars } from '../../cli/dev/start.ts';
import { findWrangler } from '../../cli/tenant/wrangler.ts';
import front from '../../cli/dev/workerd/front-worker.ts';
import { startSimulator } from '../../simulator/simulator.ts';
import { folderWith, hookbell, newFolder } from './offline.ts';

it('secrets that nobody has set are those that the documents name, but for the login of a gateway', () => {
  const routes = 'routes: [{name: a, to: "4915112345678", send: {kind: text, message: a}}]';
  const folder = folderWith({ 'sources/shop.yaml': `provider: stripe\nsecrets: [ONE, TWO]\n${routes}\n` });
  expect(missingSecrets(folder, {})).toEqual(['ONE', 'TWO']);
  expect(missingSecrets(folder, { ONE: 'x' })).toEqual(['TWO']);
  expect(missingSecrets(join(folder, 'nowhere'), {})).toEqual([]);
});

it('secrets get random values in a file that only its user can read, and those that are there stay', () => {
  const file = join(newFolder(), '.dev.vars');
  makeUpSecrets(file, ['ONE']);
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
  const { ONE: first = '' } = readDevVars(file);
  expect(first).toMatch(/^[\w-]{32}$/);
  appendFileSync(file, 'OWN=mine');
  makeUpSecrets(file, ['TWO']);
  const all = readDevVars(file);
  expect(all).toMatchObject({ ONE: first, OWN: 'mine' });
  expect(all['TWO']).not.toBe(first);
});

it('dev that is used wrongly starts nothing', async () => {
  const cwd = newFolder();
  for (const [args, env, line] of [
    ['--port 0', {}, 'whole number from 1 to 65535'],
    ['', { PORT: 'many' }, 'PORT must be a port number from 1 to 65535, not many'],
    ['', { SIMULATOR_PORT: '99999' }, 'SIMULATOR_PORT must be a port number from 1 to 65535, not 99999'],
    ['', { PORT: '8788' }, 'the relay and the simulated phone cannot both have port 8788'],
    ['--phone sms:1', {}, '--phone must be ntfy:my-topic'],
  ] as const) {
    const { code, stderr } = await hookbell(`dev ${args}`, { cwd, env });
    expect([code, stderr]).toEqual([2, expect.stringContaining(line)]);
  }
  expect(existsSync(join(cwd, '.wrangler'))).toBe(false);
});

it('a relay on this machine answers its own names and that of PUBLIC_URL, and no other, which it says how to allow', async () => {
  const ok = { fetch: () => Promise.resolve(new Response('ok')) };
  const env = { ASSETS: ok, RELAY: ok, WORKER_FIRST: '[]', PUBLIC_HOST: 'relay.tunnel.example' };
  const answer = async (host: string) => (await front.fetch(new Request(`http://${host}/x`), env)).text();
  for (const host of 'localhost:87 127.0.0.1 127.8.9.1 [::1]:87 app.localhost relay.tunnel.example'.split(
    ' ',
  ))
    expect([host, await answer(host)]).toEqual([host, 'ok']);
  for (const host of 'evil.example 127.0.0.1.evil.example 192.168.0.7 x.tunnel.example'.split(' '))
    expect(await answer(host)).toContain(`set PUBLIC_URL=https://${host} `);
});

it('the simulated phone shows its messages only under names of this machine, and is a gateway under any', async () => {
  const simulator = await startSimulator({ port: 0 });
  const ask = (path: string, host: string) =>
    new Promise((resolve) => {
      get(simulator.url + path, { headers: { host } }, (answer) => resolve(answer.statusCode));
    });
  for (const [path, ...statuses] of [
    ['/', 200, 421],
    ['/_control/calls', 200, 421],
    ['/api/x', 404, 404],
  ] as const)
    expect([path, await ask(path, 'phone.localhost'), await ask(path, 'evil.example')]).toEqual([
      path,
      ...statuses,
    ]);
  await simulator.close();
});

const messageOf = (found: ReturnType<typeof findWrangler>): string => (found.ok ? '' : found.error.message);

it('Wrangler is found beside this hookbell, or one line says how to get it, and what works without it', () => {
  const found = findWrangler();
  expect(found.ok && existsSync(found.value.program)).toBe(true);
  expect(messageOf(findWrangler('22.0.0', [join(newFolder(), 'package.json')]))).toBe(
    'Wrangler is not installed: `npm install --save-dev wrangler` in this folder installs it',
  );
  expect(messageOf(findWrangler('20.20.2'))).toMatch(
    /^Wrangler needs Node 22 or newer, and this is Node 20\.20\.2: .*`hookbell dev`.* work with this one$/,
  );
});
