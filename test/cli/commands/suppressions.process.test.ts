import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { hookbell, json, OPEN_SET, publish } from '../support.ts';

const page = z.object({ items: z.array(z.object({ phone: z.string(), reason: z.string() })) });
const listed = async () => (await json(['suppressions', 'list'], page)).items;

describe('suppressions', () => {
  beforeAll(() => publish(OPEN_SET));

  it('adds one in any format, lists it, and removes it', async () => {
    const added = await hookbell(['suppressions', 'add', '+49 151 12345678', '--reason', 'asked by phone']);
    expect(added).toMatchObject({ code: 0 });
    expect(added.stdout).toContain('4915112345678 opted out at ');
    expect(await listed()).toContainEqual(
      expect.objectContaining({ phone: '4915112345678', reason: 'asked by phone' }),
    );
    expect((await hookbell(['suppressions'])).stdout).toMatch(/4915112345678 .*token.*asked by phone/);
    expect(await hookbell(['suppressions', 'remove', '004915112345678'])).toMatchObject({
      code: 0,
      stdout: '✓ 4915112345678 gets messages again\n',
    });
    expect((await hookbell(['suppressions', 'list'])).stdout).toBe('nobody has opted out\n');
  });

  it('says what is wrong with a number, and that one had not opted out', async () => {
    const wrong = await hookbell(['suppressions', 'add', '0151 12345678']);
    expect(wrong).toMatchObject({ code: 1 });
    expect(wrong.stderr).toContain('has no country code');
    expect(await hookbell(['suppressions', 'remove', '4915112345679'])).toMatchObject({ code: 1 });
  });
});
