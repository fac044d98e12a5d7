import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { folderWith, hookbell, inForce, json, OPEN_SET, publish } from '../support.ts';

describe('versions and rollback', () => {
  beforeAll(async () => {
    await publish();
    await publish({ ...OPEN_SET, recipients: { one: { numbers: ['4915112345678'] } } });
  });

  it('lists versions, and marks the one in force', async () => {
    const version = await inForce();
    const { code, stdout } = await hookbell(['versions']);
    expect(code).toBe(0);
    const [head, first] = stdout.split('\n');
    expect(head).toMatch(/VERSION +PUBLISHED +BY +NOTE/);
    expect(first).toMatch(new RegExp(`^\\* +${version} `));
  });

  it('goes on where a page ended', async () => {
    const items = z.array(z.object({ version: z.number() }));
    const page = await json(['versions', '--limit', '1'], z.object({ items, next_cursor: z.string() }));
    const next = await json(['versions', '--limit', '1', '--cursor', page.next_cursor], z.object({ items }));
    expect(next.items[0]?.version).toBe((page.items[0]?.version ?? 0) - 1);
  });

  it('goes back to the version before, in one step, and asks first', async () => {
    const version = await inForce();
    const unasked = await hookbell(['rollback']);
    expect(unasked.stderr).toContain(`Go back from version ${version} to version ${version - 1}`);
    expect(unasked.stdout).toMatch(new RegExp(`^from +version ${version}, published .* by token`));
    expect(unasked.stdout).toContain('- recipients/one  removed');
    expect(await inForce()).toBe(version);
    const { code, stdout } = await hookbell(['rollback', '--yes']);
    expect(code).toBe(0);
    expect(stdout).toContain(`version ${version - 1} is active (was ${version})`);
    expect(await inForce()).toBe(version - 1);
    const shape = z.object({ version: z.number() });
    expect(await json(['rollback', String(version), '--yes'], shape)).toEqual({ version });
  });

  it('writes the version in force again when it is named, and refuses one that was never there', async () => {
    const version = await inForce();
    const same = await hookbell(['rollback', String(version), '--yes']);
    expect(same.code).toBe(0);
    expect(same.stdout).toContain('their documents are the same');
    expect(await inForce()).toBe(version);
    const none = await hookbell(['rollback', '9999', '--yes']);
    expect(none.code).toBe(1);
    expect(none.stderr).toMatch(
      /there is no version 9999; there are 1 to \d+: `.*hookbell versions` lists them/,
    );
  });

  it('says the note of a push, and refuses one that would not fit into a line', async () => {
    const version = await inForce();
    const folder = folderWith({ 'recipients/two.yaml': "numbers: ['4915112345679']\n" });
    const { code } = await hookbell(['push', folder, '--yes', '-m', 'two on call – for the fair']);
    expect(code).toBe(0);
    expect((await hookbell(['versions'])).stdout).toMatch(/\* .* token +two on call – for the fair\n/);
    writeFileSync(join(folder, 'recipients/two.yaml'), "numbers: ['4915112345670']\n");
    const refused = await hookbell(['push', folder, '--yes', '-m', 'two\nlines']);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('must be on one line, without control characters');
    expect(await inForce()).toBe(version + 1);
  });

  it('shows what differs between any two, by default from or to the one in force', async () => {
    const version = await inForce();
    const back = await hookbell(['diff', '--from', String(version), '--to', String(version - 1)]);
    expect(back.code).toBe(0);
    expect(back.stdout).toMatch(new RegExp(`from +version ${version}, published .*two on call`));
    expect(back.stdout).toContain('- recipients/two  removed');
    expect((await hookbell(['diff', '--to', String(version - 1)])).stdout).toBe(back.stdout);
    const since = await hookbell(['diff', '--from', String(version - 1), '--exit-code']);
    expect(since.code).toBe(1);
    expect(since.stdout).toContain('+ recipients/two  added');
    const shape = z.object({ from: z.number(), to: z.number(), changes: z.array(z.unknown()) });
    expect(await json(['diff', '--from', String(version)], shape)).toEqual({
      from: version,
      to: version,
      changes: [],
    });
    expect((await hookbell(['diff', '--from', '9999'])).stderr).toContain('there is no version 9999');
    expect((await hookbell(['diff', 'demo', '--from', '1'])).code).toBe(2);
  });

  it('says what changed where a push has no note', async () => {
    const folder = folderWith({ 'recipients/two.yaml': "numbers: ['4915112345679']\n" });
    await hookbell(['push', folder, '--yes']);
    writeFileSync(join(folder, 'recipients/two.yaml'), "numbers: ['4915112345671']\n");
    await hookbell(['push', folder, '--yes']);
    expect((await hookbell(['versions', '--limit', '1'])).stdout).toMatch(
      / token +recipients\/two changed\n/,
    );
    writeFileSync(join(folder, 'recipients/two.yaml'), "numbers: ['4915112345672']\n");
    writeFileSync(join(folder, 'recipients/three.yaml'), "numbers: ['4915112345673']\n");
    await hookbell(['push', folder, '--yes']);
    const narrow = await hookbell(['versions', '--limit', '1'], { columns: 40 });
    expect(narrow.stdout).toContain('2 documents: 1 added, 1 changed');
    expect(Math.max(...narrow.stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(40);
  });

  it('warns after a rollback of what is new with it, and once for all routes', async () => {
    const to = '{{ payload.phone }}';
    const route = (name: string) => ({ name, to, send: { kind: 'text', message: 'Hello' } });
    const routes = [route('paid'), route('sent')];
    const open = { ...OPEN_SET, sources: { orders: { verify: { scheme: 'none' }, routes } } };
    await publish(open);
    await publish({ ...open, recipients: { one: { numbers: ['4915112345678'] } } });
    expect((await hookbell(['rollback', '--yes'])).stderr).toBe('');
    await publish();
    const { stderr } = await hookbell(['rollback', '--yes']);
    expect(stderr).toMatch(
      /^warning  sources\/orders: verify .*\nwarning  sources\/orders: `to` of the routes paid and sent takes a number from the sender, .*\n$/,
    );
  });
});
