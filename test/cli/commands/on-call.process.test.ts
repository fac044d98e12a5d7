import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { hookbell, json, OPEN_SET, publish } from '../support.ts';

const local = (ms: number): string => new Date(ms).toISOString().slice(0, 16);
const HOUR = 3_600_000;
const SWAP = ['on-call', 'swap', 'team', 'ben', '--to', local(Date.now() + HOUR)];
const onCall = z.object({ now: z.object({ person: z.string() }), next: z.object({ person: z.string() }) });

describe('on-call', () => {
  beforeAll(() =>
    publish({
      ...OPEN_SET,
      recipients: {
        owners: { numbers: ['4915112345678'] },
        team: {
          people: { anna: '4915112345678', ben: '4915112345679' },
          rotation: { order: ['anna', 'ben'], every: '1w', from: local(Date.now() - HOUR), timezone: 'UTC' },
        },
      },
    }),
  );

  it('shows who is on call, in the lists that have a rotation', async () => {
    const { stdout } = await hookbell(['on-call']);
    expect(stdout).toMatch(/^team +anna +\S.* +ben *$/m);
    expect(stdout).not.toContain('owners');
    expect((await json(['on-call', 'team'], onCall)).now.person).toBe('anna');
  });

  it('shows who is on call at another time, and the link of the calendar', async () => {
    const at = new Date(Date.now() + 8 * 24 * HOUR).toISOString();
    expect((await json(['on-call', 'show', 'team', '--at', at], onCall)).now.person).toBe('ben');
    expect((await hookbell(['on-call', 'show', 'team', '--calendar'])).stdout).toMatch(
      /^https?:\/\/\S+\/calendar\/team\.[0-9a-z]{24}\.ics$/m,
    );
  });

  it('lets somebody else take over from now on, and says why if two would', async () => {
    expect(await hookbell(SWAP)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('ben is on call from now to') as unknown,
    });
    expect((await json(['on-call', 'team'], onCall)).now.person).toBe('ben');
    const refused = await hookbell([
      ...SWAP.slice(0, 3),
      'anna',
      ...SWAP.slice(4),
      '--from',
      local(Date.now()),
    ]);
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('overlaps with override 1') as unknown,
    });
  });

  it('removes the override again, and says who is on call then', async () => {
    const { stdout } = await hookbell(['on-call', 'team']);
    const [, from = ''] = /^team: ben takes over from (\S+) to \S+$/m.exec(stdout) ?? [];
    const removed = await hookbell(['on-call', 'remove', 'team', from]);
    expect(removed).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('The override is removed: anna is on call now') as unknown,
    });
    expect(await hookbell(['on-call', 'remove', 'team', from])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`there is no override from \`${from}\``) as unknown,
    });
  });

  it('takes over from an override as well, when it is asked to', async () => {
    expect(await hookbell(SWAP)).toMatchObject({ code: 0 });
    const to = local(Date.now() + HOUR / 2);
    expect(await hookbell([...SWAP.slice(0, 3), 'anna', '--to', to, '--replace'])).toMatchObject({ code: 0 });
    const { now, next } = await json(['on-call', 'team'], onCall);
    expect([now.person, next.person]).toEqual(['anna', 'ben']);
  });

  it('is not there for a list that has none', async () => {
    expect(await hookbell(['on-call', 'owners'])).toMatchObject({ code: 1 });
  });
});
