import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startProxy } from '../proxy.ts';
import { demoCopy, folderWith, newFolder, widest, expectSays } from '../offline.ts';
import { inForce, OPEN_SET, publish } from '../relay.ts';
import { expectRefused, hookbell, json, refused, shown, start } from '../support.ts';

const list = (name: string, number: string) => ({ [`recipients/${name}.yaml`]: `numbers: ['${number}']\n` });

describe('versions and rollback', () => {
  beforeAll(async () => {
    await publish();
    await publish({ ...OPEN_SET, recipients: { one: { numbers: ['4915112345678'] } } });
  });

  it('are listed, with the one in force, and the list goes on where a page ended', async () => {
    const version = await inForce();
    expect(await shown('versions')).toMatch(new RegExp(`^ *VERSION +PUBLISHED +BY +NOTE\n\\* +${version} `));
    const items = z.array(z.object({ version: z.number() }));
    const page = await json('versions --limit 1', z.object({ items, next_cursor: z.string() }));
    const next = await json(`versions --limit 1 --cursor ${page.next_cursor}`, z.object({ items }));
    expect(next.items).toEqual([{ version: (page.items[0]?.version ?? 0) - 1 }]);
  });

  it('go back to the version before, in one step, and ask first', async () => {
    const version = await inForce();
    const unasked = await hookbell('rollback');
    expect(unasked.stderr).toContain(`Go back from version ${version} to version ${version - 1}`);
    expect(unasked.stdout).toMatch(new RegExp(`^from +version ${version}, published .* by token`));
    expect(unasked.stdout).toContain('- recipients/one  removed');
    expect(await inForce()).toBe(version);
    expect(await shown('rollback --yes')).toContain(`version ${version - 1} is active (was ${version})`);
    expect(await inForce()).toBe(version - 1);
    expect(await json(`rollback ${version} --yes`, z.object({ version: z.number() }))).toEqual({ version });
    // The version in force is written again when it is named.
    expect(await shown(`rollback ${version} --yes`)).toContain('their documents are the same');
    expect(await inForce()).toBe(version);
    const none = /there is no version 9999; there are 1 to \d+: `.*hookbell versions` lists them/;
    await expectRefused([['rollback 9999 --yes', 1, none]]);
  });

  it('say the note of a push, or what changed, and refuse a note that would not fit into a line', async () => {
    const version = await inForce();
    const folder = folderWith(list('two', '4915112345679'));
    await shown(`push ${folder} --yes -m "two on call – for the fair"`);
    expect(await shown('versions')).toMatch(/\* .* token +two on call – for the fair\n/);
    folderWith(list('two', '4915112345671'), folder);
    const stderr = await refused(['push', folder, '--yes', '-m', 'two\nlines']);
    expect(stderr).toContain('must be on one line, without control characters');
    expect(await inForce()).toBe(version + 1);
    await shown(`push ${folder} --yes`);
    expect(await shown('versions --limit 1')).toMatch(/ token +recipients\/two changed\n/);
    folderWith({ ...list('two', '4915112345672'), ...list('three', '4915112345673') }, folder);
    await shown(`push ${folder} --yes`);
    const narrow = await shown('versions --limit 1', { columns: 40 });
    expect(narrow).toContain('2 documents: 1 added, 1 changed');
    expect(widest(narrow)).toBeLessThanOrEqual(40);
  });

  it('differ between any two, by default from or to the one in force', async () => {
    const folder = folderWith(list('four', '4915112345679'));
    await shown(`push ${folder} --yes -m fair`);
    const version = await inForce();
    const back = await shown(`diff --from ${version} --to ${version - 1}`);
    expectSays(back, new RegExp(`from +version ${version}, published .*fair`), '- recipients/four  removed');
    expect(await shown(`diff --to ${version - 1}`)).toBe(back);
    const since = await hookbell(`diff --from ${version - 1} --exit-code`);
    expect([since.code, since.stdout]).toEqual([1, expect.stringContaining('+ recipients/four  added')]);
    const shape = z.object({ from: z.number(), to: z.number(), changes: z.array(z.unknown()) });
    const same = { from: version, to: version, changes: [] };
    expect(await json(`diff --from ${version}`, shape)).toEqual(same);
    expect(await refused('diff --from 9999')).toContain('there is no version 9999');
    expect((await hookbell('diff examples/demo --from 1')).code).toBe(2);
  });
});

describe('a folder and the version in force', () => {
  beforeAll(() => shown('push examples/demo --yes'));

  it('differ in what was added, changed and removed; the exit code says so only when asked', async () => {
    expect(await shown('diff examples/demo --exit-code')).toMatch(/same as the active version \(\d+\)/);
    const folder = folderWith({ 'templates/new.yaml': 'kind: text\nmessage: hello\n' }, demoCopy());
    folderWith(list('on-call', '4915187654322'), folder);
    rmSync(join(folder, 'sources/alerts.yaml'));
    const stdout = await shown(['diff', folder]);
    expectSays(stdout, '- sources/alerts  removed', '+ templates/new  added', "-   - '4915187654321'");
    expectSays(stdout, "+   - '4915187654322'", '3 documents (1 added, 1 changed, 1 removed)');
    expect((await hookbell(['diff', folder, '--exit-code'])).code).toBe(1);
    const shape = z.object({ version: z.number(), changes: z.array(z.object({ kind: z.string() })) });
    expect(await json('diff examples/demo', shape)).toMatchObject({ changes: [] });
  });

  it('are the same after a pull, which leaves files alone whose document is the same, with their comments', async () => {
    const cwd = newFolder();
    expect(await shown('pull', { cwd })).toContain('3 sources');
    await shown('diff --exit-code', { cwd });
    const folder = demoCopy();
    const alerts = () => readFileSync(join(folder, 'sources/alerts.yaml'), 'utf8');
    const before = alerts();
    expect(before).toContain('#');
    expect(await shown(['pull', folder])).toContain('nothing to write');
    expect(alerts()).toBe(before);
  });

  it('are asked about before a pull overwrites or deletes, and comments of what stays are kept', async () => {
    const folder = demoCopy();
    const mine = 'templates/mine.yaml';
    const changed = { 'recipients/on-call.yaml': "# who is up\nnumbers: ['4900000000'] # none\n" };
    folderWith({ ...changed, [mine]: 'kind: text\nmessage: mine\n' }, folder);
    const onCall = () => readFileSync(join(folder, 'recipients/on-call.yaml'), 'utf8');
    expect(await refused(['pull', folder])).toContain('Overwrite 1 file and delete 1 file');
    expect(onCall()).toContain('4900000000');
    await shown(['pull', folder, '--yes']);
    expect(onCall()).toMatch(/# who is up[^]*4915187654321/);
    expect(existsSync(join(folder, mine))).toBe(false);
  });

  it('are left as they are, not even in part, when a pull is stopped by Ctrl-C', async () => {
    const proxy = await startProxy();
    const cwd = newFolder();
    const reading = proxy.hold('GET', '/config');
    const running = start('pull', { cwd, env: { HOOKBELL_URL: proxy.url } });
    const held = await reading;
    running.child.kill('SIGINT');
    const { code } = await running.done;
    held.drop();
    await proxy.close();
    expect([code, readdirSync(cwd)]).toEqual([130, []]);
  });
});
