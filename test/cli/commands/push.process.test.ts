import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startProxy, type Proxy } from '../proxy.ts';
import {
  admin,
  demoCopy,
  folderWith,
  hookbell,
  inForce,
  json,
  post,
  publish,
  relayUrl,
  start,
  until,
} from '../support.ts';

const published = z.object({ version: z.number(), warnings: z.array(z.object({ path: z.string() })) });

/** A source with one route and these words. */
const seen = (words: string): string =>
  `verify: { scheme: none }\nroutes:\n  - { name: a, to: "4915112345679", send: { kind: text, message: "${words}" } }\n`;

describe('push', () => {
  beforeEach(() => publish());

  it('publishes a folder as one version, and says what changed', async () => {
    const before = await inForce();
    const { code, stdout, stderr } = await hookbell(['push', 'demo', '--yes']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('+ sources/shop-payments  added');
    expect(stdout).toContain('- sources/open  removed');
    expect(stdout).toContain(`published version ${before + 1} (was ${before})`);
    expect(await inForce()).toBe(before + 1);
  });

  it('shows the lines of a document that changed', async () => {
    const folder = demoCopy();
    await hookbell(['push', folder, '--yes']);
    writeFileSync(join(folder, 'recipients/on-call.yaml'), "numbers: ['4915187654321', '4915187654322']\n");
    const { stdout } = await hookbell(['push', folder, '--yes']);
    expect(stdout).toContain('~ recipients/on-call  changed');
    expect(stdout).toContain("+   - '4915187654322'");
    expect(stdout).not.toContain('shop-owners');
  });

  it('publishes nothing when nothing is different: comments and the order of keys are no difference', async () => {
    const folder = demoCopy();
    await hookbell(['push', folder, '--yes']);
    const before = await inForce();
    writeFileSync(
      join(folder, 'recipients/on-call.yaml'),
      "# who is up\nnumbers:\n  - '4915187654321' # Zoë\n",
    );
    const { code, stdout } = await hookbell(['push', folder, '--yes']);
    expect(code).toBe(0);
    expect(stdout).toContain('nothing to publish');
    expect(await inForce()).toBe(before);
  });

  it('asks, and where nobody is there to answer publishes nothing without --yes', async () => {
    const before = await inForce();
    const { code, stderr } = await hookbell(['push', 'demo']);
    expect(code).toBe(1);
    expect(stderr).toContain('use --yes');
    expect(await inForce()).toBe(before);
  });

  it('says before it asks what goes, who published it, and how to keep it', async () => {
    const folder = folderWith({ 'recipients/two.yaml': "numbers: ['4915112345679']\n" });
    const { stdout, stderr } = await hookbell(['push', folder], { columns: 80 });
    expect(stdout.replaceAll(/\n(?=\S)/g, ' ')).toMatch(
      /This removes 2 documents that \S+ does not have: sources\/open, accounts\/default\. Active: version \d+, published .* by token/,
    );
    expect(stderr).toMatch(/"Publish 3 documents \(1 added, 2 removed\) to \S+\?"/);
    // On a line of its own, in one piece: it is longer than the terminal is wide.
    expect(stdout).toContain(`:\n  HOOKBELL_URL=${relayUrl()} npx hookbell pull ${folder} --missing\n`);
    const pulled = await hookbell(['pull', folder, '--missing']);
    expect(pulled.stdout).toMatch(/added to .*: sources\/open, accounts\/default\n/);
    const kept = await hookbell(['push', folder]);
    expect(kept.stdout).not.toContain('removes');
    expect((await hookbell(['pull', folder, '--missing'])).stdout).toContain('has all documents');
  });

  it('says which version it undoes and how to take that first, instead of offering the loss', async () => {
    const folder = demoCopy();
    await hookbell(['push', folder, '--yes']);
    await admin('PUT', '/recipients/on-call', { numbers: ['4915187654329'] });
    await admin('PUT', '/recipients/night', { numbers: ['4915187654329'] });
    const version = await inForce();
    const { stdout } = await hookbell(['push', folder], { columns: 1000 });
    expect(stdout).toMatch(
      new RegExp(`This undoes version ${version}, published .* by token \\(.*\\): recipients/night\\.\\n`),
    );
    expect(stdout).toMatch(
      new RegExp(
        `This undoes version ${version - 1}, published .* by token \\(.*\\): recipients/on-call\\.\\n`,
      ),
    );
    expect(stdout).toContain(`Pull it first:\n  HOOKBELL_URL=${relayUrl()} npx hookbell pull`);
    expect(stdout).not.toContain('This removes');
    await hookbell(['pull', folder, '--yes']);
    expect((await hookbell(['push', folder])).stdout).toContain('nothing to publish');
  });

  it('undoes nothing where only the folder has changed', async () => {
    const folder = demoCopy();
    await hookbell(['push', folder, '--yes']);
    await admin('PUT', '/recipients/night', { numbers: ['4915187654329'] });
    await hookbell(['pull', folder, '--yes']);
    writeFileSync(join(folder, 'recipients/on-call.yaml'), "numbers: ['4915187654321', '4915187654322']\n");
    expect((await hookbell(['push', folder])).stdout).not.toContain('undoes');
  });

  it('says that what goes is the demonstration', async () => {
    await hookbell(['push', 'demo', '--yes']);
    const folder = folderWith({ 'recipients/two.yaml': "numbers: ['4915112345679']\n" });
    expect((await hookbell(['push', folder])).stdout).toContain('(the demo)');
  });

  it('looks for variables among the last events, too', async () => {
    const folder = folderWith({
      'sources/seen.yaml': seen('{{ payload.name }} {{ payload.nme }}'),
    });
    await hookbell(['push', folder, '--yes']);
    await post('seen', { name: 'Ada' });
    writeFileSync(join(folder, 'sources/seen.yaml'), seen('Hi {{ payload.name }} {{ payload.nme }}'));
    const { stderr } = await hookbell(['push', folder, '--yes']);
    expect(stderr).toContain(
      'routes[0].send.message of the route a uses `payload.nme`, which none of the latest events of seen (1) has: it is empty there (did you mean "name"?)',
    );
    expect(stderr).not.toContain('`payload.name`');
  });

  it('has the relay look at it with --dry-run, and publishes nothing', async () => {
    const before = await inForce();
    const { code, stdout } = await hookbell(['push', 'demo', '--dry-run']);
    expect(code).toBe(0);
    expect(stdout).toContain('nothing was published');
    expect(await inForce()).toBe(before);
  });

  it('says at which place of which file a secret is named that is not set', async () => {
    const folder = demoCopy();
    writeFileSync(
      join(folder, 'sources/new.yaml'),
      'provider: github\nsecrets:\n  - NOT_SET_AT_ALL\nroutes: []\n',
    );
    const before = await inForce();
    const { code, stderr } = await hookbell(['push', folder, '--yes']);
    expect(code).toBe(1);
    expect(stderr).toContain(
      `${folder}/sources/new.yaml:3:5: secrets[0] the secret NOT_SET_AT_ALL is not set`,
    );
    expect(stderr).toContain('nothing was published');
    expect(await inForce()).toBe(before);
  });

  it('publishes nothing when a document is wrong or a fixture fails', async () => {
    const before = await inForce();
    const bad = folderWith({ 'sources/a.yaml': 'provider: strype\n' });
    expect((await hookbell(['push', bad, '--yes'])).stderr).toContain('did you mean `stripe`?');
    const folder = demoCopy();
    writeFileSync(join(folder, 'sources/alerts.yaml'), 'verify: { scheme: none }\n');
    const fixture = folderWith({
      'sources/a.yaml': 'verify: { scheme: none }\n',
      'fixtures/a/one.json': '{}',
      'fixtures/a/one.expected.json':
        '{"messages": [{"route": "r", "kind": "text", "phone": null, "params": {}}]}',
    });
    const { code, stderr } = await hookbell(['push', fixture, '--yes']);
    expect(code).toBe(1);
    expect(stderr).toContain('1 fixture');
    expect(await inForce()).toBe(before);
    expect((await hookbell(['push', fixture, '--yes', '--no-fixtures'])).code).toBe(0);
  });

  it('prints the answer of the API as JSON, and nothing else', async () => {
    const before = await inForce();
    expect(await json(['push', 'demo', '--yes'], published)).toEqual({ version: before + 1, warnings: [] });
  });
});

describe('push, stopped or overtaken', () => {
  let proxy: Proxy;
  beforeAll(async () => {
    proxy = await startProxy();
  });
  afterAll(() => proxy.close());
  beforeEach(() => publish());

  const push = (folder = 'demo') => start(['push', folder, '--yes'], { env: { HOOKBELL_URL: proxy.url } });

  it('publishes nothing after Ctrl-C before the publish', async () => {
    const before = await inForce();
    const reading = proxy.hold('GET', '/config');
    const running = push();
    const held = await reading;
    running.child.kill('SIGINT');
    const { code, stderr } = await running.done;
    held.drop();
    expect(code).toBe(130);
    expect(stderr).not.toMatch(/\bat .*:\d+/);
    expect(await inForce()).toBe(before);
  });

  it('waits for the answer after Ctrl-C during the publish, and says that it is published', async () => {
    const before = await inForce();
    const publishing = proxy.hold('POST', '/config');
    const running = push();
    const held = await publishing;
    running.child.kill('SIGINT');
    await until(() => running.written().stderr.includes('waiting for the answer'), 'the word on waiting');
    expect(await inForce()).toBe(before);
    held.release();
    const { code, stderr } = await running.done;
    expect(code).toBe(130);
    expect(stderr).toContain(`version ${before + 1} was published`);
    expect(await inForce()).toBe(before + 1);
  });

  it('does not wait after a second Ctrl-C, and says that nobody knows', async () => {
    const publishing = proxy.hold('POST', '/config');
    const running = push();
    const held = await publishing;
    running.child.kill('SIGINT');
    await until(() => running.written().stderr.includes('waiting for the answer'), 'the word on waiting');
    // A second press right after the first counts as the same one, so this presses until it counts.
    await until(() => !running.child.kill('SIGINT') || running.child.exitCode !== null, 'the end');
    const { code, stderr } = await running.done;
    held.drop();
    expect(code).toBe(130);
    expect(stderr).toContain('it may have been published');
  });

  it('says that nobody knows when the connection breaks during the publish', async () => {
    const publishing = proxy.hold('POST', '/config');
    const running = push();
    (await publishing).drop();
    const { code, stderr } = await running.done;
    expect(code).toBe(1);
    expect(stderr).toContain('it may have been published');
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it('changes nothing when somebody else published in the meantime', async () => {
    const publishing = proxy.hold('POST', '/config');
    const running = push();
    const held = await publishing;
    await publish({ sources: {}, templates: {}, recipients: {}, accounts: {} });
    const theirs = await inForce();
    held.release();
    const { code, stderr } = await running.done;
    expect(code).toBe(1);
    expect(stderr).toContain('somebody else published after version');
    expect(await inForce()).toBe(theirs);
  });
});
