import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { DEMO_SECRETS } from '../../../cli/dev/demo.ts';
import { patchOf } from '../../../shared/yaml-patch/patch.ts';
import { startProxy, type Proxy } from '../proxy.ts';
import { demoCopy, folderWith, expectSays } from '../offline.ts';
import { GHOST } from '../../config/ghost.ts';
import { admin, inForce, phoneTexts, post, publish, until } from '../relay.ts';
import { hookbell, json, refused, relayUrl, shown, start } from '../support.ts';

beforeEach(() => publish());

const onCall = (...numbers: readonly string[]) => ({
  'recipients/on-call.yaml': `numbers: [${numbers.map((one) => `'${one}'`).join(', ')}]\n`,
});
const TWO = { 'recipients/two.yaml': "numbers: ['4915112345679'] # Zoë\n" };
const NOW = () => `HOOKBELL_URL=${relayUrl()} npx hookbell`;

const seen = (words: string) => ({
  'sources/seen.yaml': `verify: { scheme: none }\nroutes:\n  - { name: a, to: "4915112345679", send: { kind: text, message: "${words}" } }\n`,
});

const undoes = (of: number, name: string) =>
  new RegExp(`This undoes version ${of}, published .* by token \\(.*\\): recipients/${name}\\.\\n`);

it('push publishes a folder as one version, and says what changed', async () => {
  const before = await inForce();
  const { code, stdout, stderr } = await hookbell('push examples/demo --yes');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const changes = ['+ sources/shop-payments  added', '- sources/open  removed'];
  expectSays(stdout, ...changes, `published version ${before + 1} (was ${before})`);
  expect(await inForce()).toBe(before + 1);
  const folder = folderWith(onCall('4915187654321', '4915187654322'), demoCopy());
  const changed = await shown(['push', folder, '--yes']);
  expectSays(changed, '~ recipients/on-call  changed', "+   - '4915187654322'");
  expect(changed).not.toContain('shop-owners');
  const warnings = z.array(z.object({ path: z.string() }));
  const published = await json('push examples/demo --yes', z.object({ version: z.number(), warnings }));
  expect(published).toEqual({ version: before + 3, warnings: [] });
});

it('a sender’s file in a folder becomes a source, a signed request of it a message, and a pull brings it back', async () => {
  const [name, secret] = Object.entries(DEMO_SECRETS)[0] ?? ['', ''];
  const file = { ...GHOST, secret: { name, hint: 'The key.' } };
  const folder = folderWith({ 'providers/gazette.json': JSON.stringify(file) });
  await shown([
    'init',
    folder,
    '--provider',
    'gazette',
    '--source',
    'blog',
    '--to',
    '+4915112345601',
    '--yes',
  ]);
  await shown(['check', folder]);
  expect(await shown(['preview', 'blog', '--folder', folder, '--payload', '{}'])).toContain('Ghost');
  await shown(['push', folder, '--yes']);
  const body = JSON.stringify({ id: 8, type: 'post.published', post: { title: 'Ten years of us' } });
  const time = Date.now();
  const signed = (key: string) => ({
    'x-ghost-signature': `sha256=${createHmac('sha256', key).update(`${body}${time}`).digest('hex')}, t=${time}`,
  });
  await expect(post('blog', body, signed('another-key'))).rejects.toThrow('401');
  await post('blog', body, signed(secret));
  await until(async () => (await phoneTexts('4915112345601')).length > 0, 'the message');
  expect(await phoneTexts('4915112345601')).toEqual(['Ghost: *Ten years of us*: post.published']);
  const other = folderWith({});
  await shown(['pull', other]);
  expect(parse(readFileSync(join(other, 'providers/gazette.yaml'), 'utf8'))).toEqual(file);
});

it('an event of a sender that nobody knows becomes its file, and the next one with its token a message', async () => {
  const [name, secret] = Object.entries(DEMO_SECRETS)[0] ?? ['', ''];
  const body = { type: 'post.published', title: 'Ten years of us' };
  const { event } = await post('open', body);
  const folder = folderWith({});
  await shown(['providers', 'new', 'chronicle', '--from-event', event, '--dir', folder]);
  const file = join(folder, 'providers/chronicle.yaml');
  writeFileSync(file, readFileSync(file, 'utf8').replace('CHRONICLE_WEBHOOK_SECRET', name));
  await shown(`init ${folder} --provider chronicle --source paper --to +4915112345602 --yes`);
  await shown(['check', folder]);
  await shown(['push', folder, '--yes']);
  await expect(post('paper/another-token', body)).rejects.toThrow('401');
  await post(`paper/${secret}`, body);
  const text = 'Chronicle: *Ten years of us*: post.published';
  await until(async () => (await phoneTexts('4915112345602')).includes(text), 'the message');
});

it('push says before it asks what goes, who published it, and how to keep it', async () => {
  const folder = folderWith(TWO);
  const { stdout, stderr } = await hookbell(['push', folder], { columns: 80 });
  expect(stdout.replaceAll(/\n(?=\S)/g, ' ')).toMatch(
    /This removes 2 documents that \S+ does not have: sources\/open, accounts\/default\. Active: version \d+, published .* by token/,
  );
  expect(stderr).toMatch(/"Publish 3 documents \(1 added, 2 removed\) to \S+\?"/);
  // On a line of its own, in one piece: it is longer than the terminal is wide.
  expect(stdout).toContain(`:\n  ${NOW()} pull ${folder} --missing\n`);
  const added = /added to .*: sources\/open, accounts\/default\n/;
  expect(await shown(['pull', folder, '--missing'])).toMatch(added);
  expect((await hookbell(['push', folder])).stdout).not.toContain('removes');
  expect(await shown(['pull', folder, '--missing'])).toContain('has all documents');
  await shown('push examples/demo --yes');
  expect((await hookbell(['push', folderWith(TWO)])).stdout).toContain('(the demo)');
});

it('push says which version it undoes and how to take that first, instead of offering the loss', async () => {
  const folder = demoCopy();
  await shown(['push', folder, '--yes']);
  await admin('PUT', '/recipients/on-call', { numbers: ['4915187654329'] });
  await admin('PUT', '/recipients/night', { numbers: ['4915187654329'] });
  const version = await inForce();
  const { stdout } = await hookbell(['push', folder], { columns: 1000 });
  expect(stdout).toMatch(undoes(version, 'night'));
  expect(stdout).toMatch(undoes(version - 1, 'on-call'));
  expect(stdout).toContain(`Pull it first:\n  ${NOW()} pull`);
  expect(stdout).not.toContain('This removes');
  await shown(['pull', folder, '--yes']);
  expect((await hookbell(['push', folder])).stdout).toContain('nothing to publish');
  // It undoes nothing where only the folder has changed.
  folderWith(onCall('4915187654321', '4915187654322'), folder);
  expect((await hookbell(['push', folder])).stdout).not.toContain('undoes');
});

it('push of a form prints the command that prints its HTML, with this relay’s address', async () => {
  const source = 'provider: html-form\norigins: any\nfields: { name: {} }\nroutes: []\n';
  const stdout = await shown(['push', folderWith({ 'sources/contact.yaml': source }), '--yes']);
  expect(stdout).toContain(`The HTML of contact with this relay’s address: ${NOW()} form contact\n`);
  expect(await shown('form contact')).toContain(`method="post" action="${relayUrl()}/hooks/contact"`);
  expect(await refused('form contct')).toContain('did you mean `contact`?');
});

it('push looks for variables among the last events, too', async () => {
  const folder = folderWith(seen('{{ payload.name }} {{ payload.nme }}'));
  await shown(['push', folder, '--yes']);
  await post('seen', { name: 'Ada' });
  folderWith(seen('Hi {{ payload.name }} {{ payload.nme }}'), folder);
  const { stderr } = await hookbell(['push', folder, '--yes']);
  expect(stderr).toContain(
    'routes[0].send.message of the route a uses `payload.nme`, which none of the latest events of seen (1) has: it is empty there (did you mean "name"?)',
  );
  expect(stderr).not.toContain('`payload.name`');
});

it('push publishes nothing when a document is wrong, a secret is not set or a fixture fails', async () => {
  const before = await inForce();
  const unset = 'provider: github\nsecrets:\n  - NOT_SET_AT_ALL\nroutes: []\n';
  const folder = folderWith({ 'sources/new.yaml': unset }, demoCopy());
  const stderr = await refused(['push', folder, '--yes']);
  expect(stderr).toContain(`${folder}/sources/new.yaml:3:5: secrets[0] the secret NOT_SET_AT_ALL is not set`);
  expect(stderr).toContain('nothing was published');
  const bad = folderWith({ 'sources/a.yaml': 'provider: strype\n' });
  expect(await refused(['push', bad, '--yes'])).toContain('did you mean `stripe`?');
  const expected = '{"messages": [{"route": "r", "kind": "text", "phone": null, "params": {}}]}';
  const fixture = folderWith({
    'sources/a.yaml': 'verify: { scheme: none }\n',
    'fixtures/a/one.json': '{}',
    'fixtures/a/one.expected.json': expected,
  });
  expect(await refused(['push', fixture, '--yes'])).toContain('1 fixture');
  expect(await inForce()).toBe(before);
  await shown(['push', fixture, '--yes', '--no-fixtures']);
});

describe('push, stopped or overtaken', () => {
  let proxy: Proxy;
  beforeAll(async () => {
    proxy = await startProxy();
  });
  afterAll(() => proxy.close());

  /** A push that is held back at this request, and the version before it. */
  async function heldAt(method: string) {
    const before = await inForce();
    const holding = proxy.hold(method, '/config');
    const running = start('push examples/demo --yes', { env: { HOOKBELL_URL: proxy.url } });
    const held = await Promise.race([
      holding,
      running.done.then(({ stderr }) => Promise.reject(new Error(`the push has ended: ${stderr}`))),
    ]);
    const press = async (): Promise<void> => {
      running.child.kill('SIGINT');
      await until(() => running.written().stderr.includes('waiting for the answer'), 'the word on waiting');
    };
    return { before, held, running, press };
  }

  it('publishes nothing after Ctrl-C before the publish', async () => {
    const { before, held, running } = await heldAt('GET');
    running.child.kill('SIGINT');
    const { code, stderr } = await running.done;
    held.drop();
    expect(code).toBe(130);
    expect(stderr).not.toMatch(/\bat .*:\d+/);
    expect(await inForce()).toBe(before);
  });

  it('waits for the answer after Ctrl-C during the publish, and says that it is published', async () => {
    const { before, held, running, press } = await heldAt('POST');
    await press();
    expect(await inForce()).toBe(before);
    held.release();
    const { code, stderr } = await running.done;
    expect([code, stderr]).toEqual([130, expect.stringContaining(`version ${before + 1} was published`)]);
    expect(await inForce()).toBe(before + 1);
  });

  it('does not wait after a second Ctrl-C, and says that nobody knows', async () => {
    const { held, running, press } = await heldAt('POST');
    await press();
    // A second press right after the first counts as the same one, so this presses until it counts.
    await until(() => !running.child.kill('SIGINT') || running.child.exitCode !== null, 'the end');
    const { code, stderr } = await running.done;
    held.drop();
    expect([code, stderr]).toEqual([130, expect.stringContaining('it may have been published')]);
  });

  it('changes nothing when somebody else published in the meantime', async () => {
    const { held, running } = await heldAt('POST');
    await publish({ sources: {}, templates: {}, recipients: {}, accounts: {} });
    const theirs = await inForce();
    held.release();
    const { code, stderr } = await running.done;
    expect([code, stderr]).toEqual([1, expect.stringContaining('somebody else published after version')]);
    expect(await inForce()).toBe(theirs);
  });
});

const fileAt = (path: string) => admin('GET', `/config/files?path=${path}`);

describe('a set that is managed in git', () => {
  const OPEN = 'verify: { scheme: none } # anybody\nroutes: []\n';
  const MANAGED =
    /the configuration has been managed in git since \S+ \S+ \(token\): only pushes with --managed change it/;
  const keeping = z.object({
    managed: z.object({ by: z.string() }).nullable(),
    taken_over: z.object({ name: z.string(), version: z.number() }).nullable(),
  });
  const kept = async () => keeping.parse(await admin('GET', '/config/versions?limit=1'));

  let folder: string;
  const managed = (...more: string[]) => hookbell(['push', folder, '--managed', ...more]);
  const change = () => folderWith({ 'recipients/two.yaml': "numbers: ['4915112345670'] # Zoë\n" }, folder);

  beforeEach(() => {
    folder = folderWith({ 'sources/open.yaml': OPEN, ...TWO });
  });
  afterEach(async () => {
    if ((await kept()).managed !== null) await admin('POST', '/config/takeover', { name: 'the next test' });
  });

  it('is marked by push --managed, which sends the texts of the files, for changes as patches', async () => {
    expect((await managed('--yes')).stdout).toMatch(/✓ published version \d+ .*; managed in git\n$/);
    expect(await kept()).toMatchObject({ managed: { by: 'token' }, taken_over: null });
    expect(await fileAt('sources/open.yaml')).toEqual({ path: 'sources/open.yaml', text: OPEN });
    const file = z.object({ path: z.string(), text: z.string() }).parse(await fileAt('recipients/two.yaml'));
    const before = await admin('GET', '/recipients/two');
    const patch = patchOf(file, { kind: 'recipients', name: 'two' }, before, { numbers: ['4915112345670'] });
    expect(patch.ok ? patch.value : patch.error).toContain("+numbers: ['4915112345670'] # Zoë");
    // Changed comments go without a question and without a version.
    const version = await inForce();
    const comment = "numbers: ['4915112345679'] # Zoë, at night\n";
    folderWith({ 'recipients/two.yaml': comment }, folder);
    const same = `is the same as the active version (${version}); managed in git`;
    expect((await managed()).stdout).toContain(same);
    expect(await inForce()).toBe(version);
    expect(await fileAt('recipients/two.yaml')).toMatchObject({ text: comment });
  });

  it('is not changed by a push without --managed, which says why and what to do', async () => {
    await managed('--yes');
    const version = await inForce();
    change();
    const { stdout, stderr } = await hookbell(['push', folder]);
    expect(stdout).toContain('~ recipients/two  changed');
    expect(stderr).toMatch(new RegExp(`hookbell: ${MANAGED.source}; nothing was changed\n`));
    expect(stderr).toContain(`from the folder in git: ${NOW()} push ${folder} --managed\n`);
    expect(stderr).toContain(`or take it over, with your name: ${NOW()} takeover Ann\n`);
    expect(stderr).not.toContain('use --yes');
    expect((await hookbell(['push', folder, '--yes'])).code).toBe(1);
    expect(await inForce()).toBe(version);
    expect(await shown(['push', folder, '--dry-run'])).toMatch(
      /nothing was published\nbut the configuration has been managed in git since/,
    );
    const named = [await shown('versions'), await shown(['diff', folder]), await refused(['pull', folder])];
    for (const text of named) expect(text).toMatch(MANAGED);
    const shape = z.object({ managed: z.object({ by: z.string() }) });
    for (const args of ['versions', `diff ${folder}`])
      expect(await json(args, shape)).toEqual({ managed: { by: 'token' } });
  });

  it('goes back with --managed, and stays managed', async () => {
    await managed('--yes');
    const back = (await inForce()) - 1;
    expect(await refused(`rollback ${back} --yes`)).toContain(`rollback ${back} --managed`);
    await shown(`rollback ${back} --yes --managed`);
    expect(await inForce()).toBe(back);
    expect((await kept()).managed).not.toBeNull();
  });

  it('is taken over by name, after a question, and then anybody may publish', async () => {
    expect(await refused('takeover Ann --yes')).toContain('is not managed');
    await managed('--yes');
    const version = (await inForce()) + 1;
    expect(await refused('takeover Ann')).toMatch(/"Take it over as Ann, on \S+\?"/);
    expect((await kept()).managed).not.toBeNull();
    expect(await shown('takeover Ann --yes')).toContain(
      `✓ version ${version}: taken over by Ann; anybody may publish`,
    );
    const said = new RegExp(`Ann took the configuration over from git .* \\(version ${version}\\)\n`);
    expectSays(await shown('versions'), /\* .* token +taken over by Ann\n/, said);
    change();
    await shown(['push', folder, '--yes']);
  });

  it('names a takeover at the next managed push, with what that undoes unless it was pulled', async () => {
    await managed('--yes');
    await admin('POST', '/config/takeover', { name: 'Ann' });
    const version = await inForce();
    await admin('PUT', '/recipients/two', { numbers: ['4915112345600'] });
    await admin('PUT', '/recipients/three', { numbers: ['4915112345601'] });
    const { stdout } = await managed();
    expectSays(
      stdout,
      new RegExp(`Ann took the configuration over from git .* \\(version ${version}\\)\\.`),
      'The changes since then in 2 documents would be lost: recipients/three, recipients/two. With this push',
      `To keep them, pull them first:\n  ${NOW()} pull ${folder}\n`,
    );
    await shown(['pull', folder, '--yes']);
    // In the file that was there, with its comment.
    const two = readFileSync(join(folder, 'recipients/two.yaml'), 'utf8');
    expect(two).toBe("numbers: ['4915112345600'] # Zoë\n");
    expect((await managed('--yes')).stdout).toContain('The folder has all changes since then.');
    expect(await kept()).toMatchObject({ managed: { by: 'token' }, taken_over: null });
    expect((await managed('--yes')).stdout).not.toContain('took the configuration over');
  });
});
