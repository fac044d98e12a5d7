import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { devVarsChecks } from '../../cli/doctor/dev-vars.ts';
import { adminApi } from '../admin-api.ts';
import { freePort } from '../../cli/dev/workerd/workerd.ts';

const START = join(dirname(dirname(import.meta.dirname)), 'scripts', 'start.ts');

/** The project's folder as far as `npm start` keeps things in it. */
const folder = mkdtempSync(join(tmpdir(), 'hookbell-start-'));
const children = new Set<ChildProcess>();

afterEach(() => Promise.all([...children].map(stop)));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Started {
  readonly child: ChildProcess;
  readonly url: string;
  /** All that it printed until it had started, or had failed. */
  readonly screen: string;
}

/** The ports of all but the last starts: those that a person uses stay the same. */
const ports = Promise.all([freePort(), freePort()]);

/** `npm start` in the folder, until it says how to stop it, or stops. */
async function start(over: Readonly<Record<string, string>> = {}): Promise<Started> {
  const [port = '', simulatorPort = ''] = (await ports).map(String);
  const { ADMIN_TOKEN: _, ...env } = process.env;
  const child = spawn(process.execPath, [START], {
    cwd: folder,
    env: { ...env, PORT: port, SIMULATOR_PORT: simulatorPort, ...over },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.add(child);
  const { promise, resolve } = Promise.withResolvers<string>();
  let screen = '';
  const reads = (text: string): void => {
    screen += text;
    if (screen.includes('Ctrl-C stops everything.\n')) resolve(screen);
  };
  child.stdout.setEncoding('utf8').on('data', reads);
  child.stderr.setEncoding('utf8').on('data', reads);
  child.once('close', () => resolve(screen));
  return { child, url: `http://localhost:${port}`, screen: await promise };
}

async function stop(child: ChildProcess): Promise<number | null> {
  const { promise, resolve } = Promise.withResolvers<number | null>();
  child.once('close', resolve);
  if (child.exitCode === null) child.kill('SIGINT');
  else resolve(child.exitCode);
  const code = await promise;
  children.delete(child);
  return code;
}

/** The printed command's answer, from a shell in the folder. */
function post(screen: string): string {
  const line = /^ {2}(curl (?:.*\\\n)*.*)$/m.exec(screen)?.[1] ?? '';
  return execFileSync('sh', ['-c', `${line} -sS -o /dev/null -w '%{http_code}'`], {
    cwd: folder,
    encoding: 'utf8',
  });
}

/** The page's form may be sent from the page, by both of its names, and from nowhere else. It has no secret in it. */
async function refusesOtherPages(screen: string, url: string): Promise<void> {
  const page = /^A form that messages it: (\S+)$/m.exec(screen)?.[1] ?? '';
  const answer = await fetch(page);
  const html = await answer.text();
  expect(html).toContain(`action="${url}/hooks/contact-form"`);
  expect(html + JSON.stringify([...answer.headers])).not.toMatch(/token|secret|my own/i);
  const { origin, port } = new URL(page);
  const post = async (from: string): Promise<number> => {
    const body = new URLSearchParams({ name: from, message: 'Hello' });
    return (await fetch(`${url}/hooks/contact-form`, { method: 'POST', headers: { origin: from }, body }))
      .status;
  };
  expect(await Promise.all([origin, `http://127.0.0.1:${port}`].map(post))).toEqual([202, 202]);
  expect(await Promise.all([url, 'http://localhost', 'null'].map(post))).toEqual([403, 403, 403]);
}

const hasCurl = spawnSync('curl', ['--version']).status === 0;
if (!hasCurl) process.stderr.write('curl is not installed: the printed commands are not run\n');

/** Does something with the store of the registry, which `npm start` reads first. */
function inRegistry<Result>(body: (database: DatabaseSync) => Result): readonly Result[] {
  const objects = join(folder, '.wrangler/demo/objects');
  const files = readdirSync(objects, { recursive: true }).map(String);
  return files
    .filter((file) => /Registry.*\.sqlite$/.test(file))
    .flatMap((file) => {
      const database = new DatabaseSync(join(objects, file));
      const isObject = database.prepare("SELECT 1 FROM sqlite_master WHERE name LIKE '%_version'").get();
      const result = isObject === undefined ? [] : [body(database)];
      database.close();
      return result;
    });
}

/** The tables of a store with all their rows, without those of the platform. */
const everythingIn = (database: DatabaseSync) =>
  database
    .prepare(
      "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf\\_%' ESCAPE '\\'",
    )
    .all()
    .map(({ name, sql }) => [sql, database.prepare(`SELECT * FROM "${String(name)}"`).all()]);

// One after another: each finds what the one before has left in the folder.
describe('npm start', () => {
  it('publishes the demo into an empty store, and its webhooks verify with the person’s own secrets', async () => {
    const secrets = { STRIPE_WEBHOOK_SECRET: 'whsec_mine', ALERTMANAGER_TOKEN: 'my own/token' };
    const lines = Object.entries({ ...secrets, GATEWAY_EMAIL: 'me@gateway.example' });
    writeFileSync(join(folder, '.dev.vars'), lines.map(([name, value]) => `${name}="${value}"\n`).join(''));
    const { child, screen, url } = await start();
    expect(screen).toContain('Your values from .dev.vars: ');
    expect(screen).toMatch(/^Not used, so that no message reaches a real phone: GATEWAY_EMAIL\.$/m);
    expect(devVarsChecks(url, folder)).toEqual([]);
    utimesSync(join(folder, '.dev.vars'), new Date(), new Date(Date.now() + 60_000));
    expect(devVarsChecks(url, folder)).toMatchObject([{ id: 'dev-vars', status: 'warn' }]);
    expect(screen).toContain('Published the demo (folder demo) as version 1.');
    expect(screen.match(/^ {2}(200|202) evt_/gm)).toHaveLength(3);
    expect(screen.match(/^ {2}sent /gm)).toHaveLength(8);
    expect(screen).toContain(`\n  ${url}/admin#code=editor.`);
    for (const value of [...Object.values(secrets), 'my%20own', 'me@gateway'])
      expect(screen).not.toContain(value);
    if (hasCurl) expect(post(screen)).toBe('202');
    const [second, phone] = (await Promise.all([freePort(), freePort()])).map(String);
    const other = await start({ PORT: second ?? '', SIMULATOR_PORT: phone ?? '' });
    expect(other.screen).toContain('uses the store in .wrangler, which two relays would mix up');
    await refusesOtherPages(screen, url);
    expect(await stop(child)).toBe(0);
  });

  it('publishes nothing again over the demo, and posts its webhooks with whatever is in force now', async () => {
    rmSync(join(folder, '.dev.vars'));
    const { screen, url } = await start();
    expect(screen).toMatch(/^Version 1 is active: the demo, published .* UTC by the admin token\.$/m);
    expect(screen.match(/^ {2}(200|202) evt_/gm)).toHaveLength(3);
    if (hasCurl) expect(post(screen)).toBe('202');
    const { body } = await adminApi(url, 'demo-admin-token')('GET', '/config/versions');
    expect(body).toMatchObject({ items: [{ version: 1, note: 'the demo, by npm start' }] });
  });

  it('publishes the demo again when its page has moved to another port, and its form goes through', async () => {
    const { screen, url, child } = await start({ SIMULATOR_PORT: String(await freePort()) });
    expect(screen).toContain('Published the demo (folder demo) as version 2.');
    expect(screen.match(/^ {2}(200|202) evt_/gm)).toHaveLength(3);
    await refusesOtherPages(screen, url);
    const open = { verify: { scheme: 'none' }, routes: [] };
    const shop = { provider: 'stripe', secrets: ['STRIPE_WEBHOOK_SECRET'], routes: [] };
    await adminApi(url, 'demo-admin-token')('POST', '/config', { sources: { shop, open } });
    expect(await stop(child)).toBe(0);
  });

  it('leaves alone what somebody published, and posts nothing to it', async () => {
    const { screen, url } = await start({ ADMIN_TOKEN: 'mine-of-the-environment' });
    expect(screen).toMatch(/^Version 3 is active \(.*\), published .* by the admin token\.$/m);
    expect(screen).toContain('\nIt was left as it is, without the demo. Sources: shop, open.\n');
    expect(screen).toMatch(/^These have the demo's values; .*: STRIPE_WEBHOOK_SECRET\.$/m);
    expect(screen).not.toMatch(/^POST /m);
    if (hasCurl) expect(post(screen)).toBe('202');
    const admin = adminApi(url, 'mine-of-the-environment');
    expect((await admin('GET', '/config')).headers.get('hookbell-config-version')).toBe('3');
  });

  it('stops at a store that no release made, says in one line how to go on, and changes nothing', async () => {
    inRegistry((database) => {
      // As code from before the first release has left it.
      database.exec('DROP TABLE store_version; CREATE TABLE schema_version (version INTEGER NOT NULL)');
      database.exec('INSERT INTO schema_version VALUES (10)');
    });
    const before = inRegistry(everythingIn);
    expect(before).toHaveLength(1);
    const { screen, child } = await start();
    expect(screen.match(/^hookbell: (?!starting).*$/gm)).toEqual([
      'hookbell: the store in .wrangler is not of this hookbell (the registry has tables that no release made (active, built, calendars, …)): start with an empty store by deleting .wrangler/demo',
    ]);
    expect(await stop(child)).toBe(1);
    expect(readFileSync(join(folder, '.wrangler/start.log'), 'utf8')).toMatch(
      /^[^\n]*the registry has tables that no release made \([^\n]*delete \.wrangler\); nothing was changed[^\n]*\n$/,
    );
    expect(inRegistry(everythingIn)).toEqual(before);
  });
});
