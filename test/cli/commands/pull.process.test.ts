import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startProxy } from '../proxy.ts';
import { demoCopy, hookbell, inForce, json, newFolder, start } from '../support.ts';

describe('pull', () => {
  beforeAll(async () => {
    await hookbell(['push', 'demo', '--yes']);
  });

  it('writes the version in force into a new folder, which is then the same', async () => {
    const cwd = newFolder();
    const { code, stdout } = await hookbell(['pull'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain('3 sources');
    expect((await hookbell(['diff', '--exit-code'], { cwd })).code).toBe(0);
  });

  it('leaves files alone whose document is the same, with their comments', async () => {
    const folder = demoCopy();
    const file = join(folder, 'sources/alerts.yaml');
    const before = readFileSync(file, 'utf8');
    expect(before).toContain('#');
    expect((await hookbell(['pull', folder])).stdout).toContain('nothing to write');
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  it('asks before it overwrites or deletes, and keeps comments of what stays', async () => {
    const folder = demoCopy();
    const changed = join(folder, 'recipients/on-call.yaml');
    const extra = join(folder, 'templates/mine.yaml');
    writeFileSync(changed, "# who is up\nnumbers: ['4900000000'] # none\n");
    writeFileSync(extra, 'kind: text\nmessage: mine\n');
    const refused = await hookbell(['pull', folder]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('Overwrite 1 file and delete 1 file');
    expect(readFileSync(changed, 'utf8')).toContain('4900000000');

    expect((await hookbell(['pull', folder, '--yes'])).code).toBe(0);
    expect(readFileSync(changed, 'utf8')).toContain('# who is up');
    expect(readFileSync(changed, 'utf8')).toContain('4915187654321');
    expect(existsSync(extra)).toBe(false);
  });

  it('writes an earlier version', async () => {
    const version = await inForce();
    const folder = demoCopy();
    writeFileSync(join(folder, 'recipients/on-call.yaml'), "numbers: ['4915187654399']\n");
    await hookbell(['push', folder, '--yes']);
    const shape = z.object({ version: z.number(), changed: z.array(z.string()) });
    expect(await json(['pull', folder, '--version', String(version), '--yes'], shape)).toEqual({
      version,
      changed: ['recipients/on-call'],
    });
    await hookbell(['rollback', String(version), '--yes']);
  });

  it('writes nothing after Ctrl-C, not even a part', async () => {
    const proxy = await startProxy();
    const cwd = newFolder();
    const reading = proxy.hold('GET', '/config');
    const running = start(['pull'], { cwd, env: { HOOKBELL_URL: proxy.url } });
    const held = await reading;
    running.child.kill('SIGINT');
    const { code } = await running.done;
    held.drop();
    await proxy.close();
    expect(code).toBe(130);
    expect(readdirSync(cwd)).toEqual([]);
  });

  it('says so when there is no such version', async () => {
    const { code, stderr } = await hookbell(['pull', newFolder(), '--version', '9999']);
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'hookbell: there is no version 9999\n' });
  });
});
