import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { hookbell, json, OPEN_SET, publish } from '../support.ts';

const WHEN = 'event.source == "forms"';
const ADD = ['silence', 'add', '--when', WHEN, '--reason', 'moving the database'];
const entry = z.object({ id: z.string(), state: z.string(), until: z.string().optional() });
const page = z.object({ items: z.array(entry) });
const one = async (id: string) =>
  (await json(['silence', 'list'], page)).items.find((silence) => silence.id === id);

describe('silence', () => {
  beforeAll(
    () => publish({ ...OPEN_SET, silences: { weekly: { when: WHEN, until: '2020-01-01T00:00:00Z' } } }), // fixed date: long past
  );

  it('adds one, says how to end it, and ends it', async () => {
    const before = Date.now();
    const added = await hookbell([...ADD, '--for', '2h']);
    expect(added).toMatchObject({ code: 0 });
    const [, id = ''] = /^(sil_\w+) is active, until /.exec(added.stdout) ?? [];
    expect(added.stderr).toContain(`hookbell silence end ${id}`);
    const until = Date.parse((await one(id))?.until ?? '');
    expect(until).toBeGreaterThanOrEqual(before + 7_200_000);
    expect(until).toBeLessThanOrEqual(Date.now() + 7_200_000);
    expect(await hookbell(['silence', 'end', id])).toMatchObject({ code: 0, stdout: `✓ ${id} has ended\n` });
    expect(await one(id)).toMatchObject({ state: 'ended' });
    expect(await hookbell(['silence', 'end', id])).toMatchObject({ code: 1 });
  });

  it('says how many of the open incidents it matches, and what is probably misspelled', async () => {
    const added = await hookbell([...ADD, '--for', '1h']);
    expect(added.stdout).toContain('nothing is open now');
    const dry = await hookbell([
      'silence',
      'add',
      '--when',
      WHEN,
      '--reason',
      'x',
      '--for',
      '1h',
      '--dry-run',
    ]);
    expect(dry).toMatchObject({ code: 0, stdout: 'nothing is open now\n' });
    const one = await json(
      ['silence', 'add', '--incident', 'forms/hello/disk', '--reason', 'x', '--for', '1h'],
      z.object({ when: z.string(), matches: z.number() }),
    );
    expect(one).toEqual({ when: 'event.source == "forms" and key == "disk"', matches: 0 });
    const both = await hookbell([...ADD, '--source', 'forms', '--for', '1h']);
    expect(both).toMatchObject({ code: 2 });
    expect(both.stderr).toContain('give one of --when, --incident and --source');
  });

  it('counts --for from the begin', async () => {
    const from = new Date(Date.now() + 86_400_000).toISOString();
    const added = await json([...ADD, '--from', from, '--for', '1h'], entry);
    expect(added).toMatchObject({ state: 'pending' });
    expect(Date.parse(added.until ?? '')).toBe(Date.parse(from) + 3_600_000);
  });

  it('lists documents, too, and does not end them', async () => {
    expect((await hookbell(['silence', 'list'])).stdout).toMatch(/weekly +ended/);
    const ended = await hookbell(['silence', 'end', 'weekly']);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain('delete silences/weekly.yaml and push');
  });

  it.each([
    [[], 'give one of --for and --until'],
    [['--for', '2h', '--until', '2027-01-31T22:00:00Z'], 'give one of --for and --until'], // fixed date: is refused before it is compared with a clock
    [['--for', '2'], '--for: `2` is not a duration'],
    [['--for', '2h', '--from', 'noon'], '--from, or --from plus --for 2h, is not a valid time'],
  ])('is used wrongly with %j', async (options, message) => {
    const run = await hookbell([...ADD, ...options]);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain(message);
  });

  it('says what the relay refuses', async () => {
    const run = await hookbell(['silence', 'add', '--when', 'itm', '--for', '2h', '--reason', 'x']);
    expect(run.code).toBe(1);
    expect(run.stderr).toContain('unknown name "itm"');
  });
});
