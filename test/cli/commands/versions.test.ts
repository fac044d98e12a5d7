import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { hookbell, inForce, json, OPEN_SET, publish } from '../support.ts';

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
    expect(head).toMatch(/VERSION +PUBLISHED +BY +CHANGE/);
    expect(first).toMatch(new RegExp(`^\\* +${version} `));
  });

  it('goes on where a page ended', async () => {
    const shape = z.object({ items: z.array(z.object({ version: z.number() })), next_cursor: z.string() });
    const page = await json(['versions', '--limit', '1'], shape);
    const next = await json(['versions', '--limit', '1', '--cursor', page.next_cursor], shape.partial());
    expect(next.items?.[0]?.version).toBe((page.items[0]?.version ?? 0) - 1);
  });

  it('goes back to the version before, in one step, and asks first', async () => {
    const version = await inForce();
    expect((await hookbell(['rollback'])).stderr).toContain(
      `Go back from version ${version} to version ${version - 1}`,
    );
    expect(await inForce()).toBe(version);
    const { code, stdout } = await hookbell(['rollback', '--yes']);
    expect(code).toBe(0);
    expect(stdout).toContain(`version ${version - 1} is in force (it was ${version})`);
    expect(await inForce()).toBe(version - 1);
    const shape = z.object({ version: z.number() });
    expect(await json(['rollback', String(version), '--yes'], shape)).toEqual({ version });
  });

  it('refuses a version that is in force already, or was never there', async () => {
    const version = await inForce();
    const same = await hookbell(['rollback', String(version), '--yes']);
    expect(same).toMatchObject({ code: 1, stderr: `hookbell: version ${version} is in force already\n` });
    const none = await hookbell(['rollback', '9999', '--yes']);
    expect(none).toMatchObject({ code: 1, stderr: 'hookbell: there is no version 9999\n' });
  });
});
