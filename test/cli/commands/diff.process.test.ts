import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { demoCopy, hookbell, json } from '../support.ts';

describe('diff', () => {
  beforeAll(async () => {
    await hookbell(['push', 'demo', '--yes']);
  });

  it('finds no difference between the demonstration and itself', async () => {
    const { code, stdout } = await hookbell(['diff', 'demo', '--exit-code']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/demo is the same as the active version \(\d+\)/);
  });

  it('shows what was added, changed and removed; the exit code says so only when asked', async () => {
    const folder = demoCopy();
    rmSync(join(folder, 'sources/alerts.yaml'));
    writeFileSync(join(folder, 'templates/new.yaml'), 'kind: text\nmessage: hello\n');
    writeFileSync(join(folder, 'recipients/on-call.yaml'), "numbers: ['4915187654322']\n");
    const { code, stdout } = await hookbell(['diff', folder]);
    expect(code).toBe(0);
    expect(stdout).toContain('- sources/alerts  removed');
    expect(stdout).toContain('+ templates/new  added');
    expect(stdout).toContain("- '4915187654321'");
    expect(stdout).toContain("+ '4915187654322'".replace('+ ', '+   - '));
    expect(stdout).toContain('3 documents (1 added, 1 changed, 1 removed)');
    expect((await hookbell(['diff', folder, '--exit-code'])).code).toBe(1);
  });

  it('prints the changes as JSON', async () => {
    const shape = z.object({ version: z.number(), changes: z.array(z.object({ kind: z.string() })) });
    expect(await json(['diff', 'demo'], shape)).toMatchObject({ changes: [] });
  });
});
