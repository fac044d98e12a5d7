import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { OPEN_SET, publish } from '../relay.ts';
import { expectRefused, hookbell, json, refused, shown } from '../support.ts';

describe('silence', () => {
  const WHEN = 'event.source == "forms"';
  const ADD = ['silence', 'add', '--when', WHEN, '--reason', 'moving the database'];
  const entry = z.object({ id: z.string(), state: z.string(), until: z.string().optional() });
  const one = async (id: string) =>
    (await json('silence list', z.object({ items: z.array(entry) }))).items.find((each) => each.id === id);

  // fixed date: long past
  const weekly = { when: WHEN, until: '2020-01-01T00:00:00Z' };
  beforeAll(() => publish({ ...OPEN_SET, silences: { weekly } }));

  it('adds one, says how to end it, and ends it', async () => {
    const before = Date.now();
    const added = await hookbell([...ADD, '--for', '2h']);
    expect(added.stdout).toContain('nothing is open now');
    const [, id = ''] = /^(sil_\w+) is active, until /.exec(added.stdout) ?? [];
    expect(added.stderr).toContain(`hookbell silence end ${id}`);
    const until = Date.parse((await one(id))?.until ?? '');
    expect(until).toBeGreaterThanOrEqual(before + 7_200_000);
    expect(until).toBeLessThanOrEqual(Date.now() + 7_200_000);
    expect(await shown(`silence end ${id}`)).toBe(`✓ ${id} has ended\n`);
    expect(await one(id)).toMatchObject({ state: 'ended' });
    await refused(`silence end ${id}`);
  });

  it('says how many of the open incidents it would match, and counts --for from the begin', async () => {
    expect(await shown([...ADD, '--for', '1h', '--dry-run'])).toBe('nothing is open now\n');
    const shape = z.object({ id: z.string(), of: z.unknown(), matches: z.number() });
    const key = 'C:\\temp "it\'s full"';
    const added = ['silence', 'add', '--incident', `forms/hello/${key}`, '--reason', 'x', '--for', '1h'];
    const { id, ...disk } = await json(added, shape);
    expect(disk).toEqual({ of: { source: 'forms', route: 'hello', keys: [key] }, matches: 0 });
    expect(await shown('silence list')).toMatch(new RegExp(`${id} .*forms/hello: C:`));
    const from = new Date(Date.now() + 86_400_000).toISOString();
    const { state, until = '' } = await json([...ADD, '--from', from, '--for', '1h'], entry);
    expect([state, Date.parse(until)]).toEqual(['pending', Date.parse(from) + 3_600_000]);
  });

  it('lists documents, too, and does not end them; and says what is wrong', async () => {
    expect(await shown('silence list')).toMatch(/weekly +ended/);
    // fixed date: is refused before it is compared with a clock
    const until = ['--until', '2027-01-31T22:00:00Z'];
    await expectRefused([
      ['silence end weekly', 1, 'delete silences/weekly.yaml and push'],
      [[...ADD, '--source', 'forms', '--for', '1h'], 2, 'give one of --when, --incident and --source'],
      [ADD, 2, 'give one of --for and --until'],
      [[...ADD, '--for', '2h', ...until], 2, 'give one of --for and --until'],
      [[...ADD, '--for', '2'], 2, '--for: `2` is not a duration'],
      [[...ADD, '--for', '2h', '--from', 'noon'], 2, '--from, or --from plus --for 2h, is not a valid time'],
      ['silence add --when itm --for 2h --reason x', 1, 'unknown name "itm"'],
    ]);
  });
});

it('suppressions are added in any format, listed, and removed', async () => {
  await publish();
  const added = await shown('suppressions add "+49 151 12345678" --reason "asked by phone"');
  expect(added).toContain('4915112345678 opted out at ');
  const entry = z.object({ phone: z.string(), reason: z.string() });
  const { items } = await json('suppressions list', z.object({ items: z.array(entry) }));
  expect(items).toContainEqual({ phone: '4915112345678', reason: 'asked by phone' });
  expect(await shown('suppressions')).toMatch(/4915112345678 .*token.*asked by phone/);
  expect(await shown('suppressions remove 004915112345678')).toBe('✓ 4915112345678 gets messages again\n');
  expect(await shown('suppressions list')).toBe('nobody has opted out\n');
  await expectRefused([
    ['suppressions add "0151 12345678"', 1, 'has no country code'],
    ['suppressions remove 4915112345679', 1, 'there is no suppression of this number'],
  ]);
});

const local = (ms: number): string => new Date(ms).toISOString().slice(0, 16);

describe('on-call', () => {
  const HOUR = 3_600_000;
  const swap = (who: string, to = local(Date.now() + HOUR)) => `on-call swap team ${who} --to ${to}`;
  const person = z.object({ person: z.string() });
  const onCall = async (args = 'on-call team') => {
    const { now, next } = await json(args, z.object({ now: person, next: person }));
    return [now.person, next.person];
  };

  beforeAll(() => {
    const from = local(Date.now() - HOUR);
    const rotation = { order: ['anna', 'ben'], every: '1w', from, timezone: 'UTC' };
    const team = { people: { anna: '4915112345678', ben: '4915112345679' }, rotation };
    return publish({ ...OPEN_SET, recipients: { owners: { numbers: ['4915112345678'] }, team } });
  });

  it('shows who is on call, now and at another time, in the lists that have a rotation', async () => {
    const stdout = await shown('on-call');
    expect(stdout).toMatch(/^LIST +ON CALL +UNTIL \(\S+\) +NEXT/);
    expect(stdout).toMatch(/^team +anna +\S.* +ben *$/m);
    expect(stdout).not.toContain('owners');
    expect(await onCall()).toEqual(['anna', 'ben']);
    const at = new Date(Date.now() + 8 * 24 * HOUR).toISOString();
    expect(await onCall(`on-call show team --at ${at}`)).toEqual(['ben', 'anna']);
    const calendar = /^https?:\/\/\S+\/calendar\/team\.[0-9a-z]{24}\.ics$/m;
    expect(await shown('on-call show team --calendar')).toMatch(calendar);
    const [before] = calendar.exec(await shown('on-call calendar team')) ?? [];
    const [after] = calendar.exec(await shown('on-call calendar team --revoke')) ?? [];
    expect([before === after, await shown('on-call calendar team')]).toEqual([false, `${after}\n`]);
    expect((await hookbell('on-call owners')).code).toBe(1);
  });

  it('lets somebody else take over, also from who took over, says who made it, and ends the override again', async () => {
    expect(await shown(swap('ben'))).toContain('ben is on call from now to');
    expect((await onCall())[0]).toBe('ben');
    await expectRefused([[swap('bem'), 1, 'did you mean `ben`']]);
    const [, from = ''] =
      /^team: ben takes over from (\S+) to \S+ \(\S+\)$/m.exec(await shown('on-call team')) ?? [];
    const removed = await shown(`on-call remove team ${from}`);
    expect(removed).toContain('The override is removed: anna is on call now');
    await expectRefused([[`on-call remove team ${from}`, 1, `there is no override from \`${from}\``]]);
    await shown(swap('ben'));
    await shown(swap('anna', local(Date.now() + HOUR / 2)));
    expect(await onCall()).toEqual(['anna', 'ben']);
    expect(await shown('on-call team')).toMatch(/\n {2}ovr_\w+, made by token at /);
  });
});
