import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { eventually } from '../../eventually.ts';
import { folderWith, widest, expectSays } from '../offline.ts';
import { inForce, OPEN_SET, post, publish } from '../relay.ts';
import { expectRefused, hookbell, json, shown } from '../support.ts';

const PHONE = '4915112345681';
const incident = { key: '{{ payload.key }}', resolved: 'payload.status == "resolved"' };
const route = (name: string, keys: object = { incident }) => ({
  name,
  to: PHONE,
  send: { kind: 'text', message: '{{ count }} firing' },
  ...keys,
});
/** A source without a signature, as the only one. */
const only = (name: string, ...routes: readonly object[]) => ({
  ...OPEN_SET,
  sources: { [name]: { verify: { scheme: 'none' }, limit: false, routes } },
});

const list = z.object({ items: z.array(z.object({ key: z.string(), state: z.string() })) });
const keys = async (args: string) => (await json(args, list)).items.map(({ key }) => key);
const fire = (key: string) => post('alerts', { key, status: 'firing' });

describe('incidents', () => {
  let event: string;

  beforeAll(async () => {
    await publish(only('alerts', route('on-call')));
    ({ event } = await fire('disk'));
    await fire("Ada's \u001b[2J disk");
    await eventually(async () => expect(await shown(`events ${event}`)).toContain('notified in msg_'));
  });

  it('are listed in lines of at most 80 columns, with a command that shows one', async () => {
    const { code, stdout, stderr } = await hookbell('incidents', { columns: 80 });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^STARTED +STATE +FOR +FIRED +INCIDENT +RECEIVERS\n/);
    expect(stdout).toMatch(/open +\d+ (s|min) +1× +alerts\/on-call\/disk +1 notified$/m);
    expect(widest(stdout)).toBeLessThanOrEqual(80);
    expect(stderr).toMatch(/^show: HOOKBELL_URL=\S+ npx hookbell incidents show (alerts|inc_)/);
    expect(stdout + stderr).not.toContain('\u001b');
    expect(await shown('incidents list --source never')).toBe('no incidents\n');
    expect(await keys('incidents list --limit 1')).toHaveLength(1);
  });

  it('are shown with who was notified, by name and by id, and in their event and their message', async () => {
    const { stdout, stderr } = await hookbell('incidents show alerts/on-call/disk');
    expect(stdout).toMatch(/^incident +alerts\/on-call\/disk$/m);
    expect(stdout).toMatch(new RegExp(`^${PHONE} +notified +1 notified$`, 'm'));
    expect(stdout).toMatch(new RegExp(`^\\S+ +${PHONE} +msg_\\w+ +(queued|sending|sent) +1$`, 'm'));
    expect(stderr).toMatch(/^acknowledge: \S+ npx hookbell incidents acknowledge alerts\/on-call\/disk\n$/);
    const [, id] = /^id +(inc_[0-9a-z]{16})$/m.exec(stdout) ?? [];
    expect(await json(`incidents show ${id}`, z.object({ id: z.string() }))).toEqual({ id });
    const notified = /disk +4915112345681 +notified in (msg_\w+)/.exec(await shown(`events ${event}`));
    const message = await shown(`messages ${notified?.[1]}`);
    expectSays(message, /^notifies of +1 new, 0 resolved, 1 open$/m, new RegExp(`^incidents +${id}$`, 'm'));
  });

  it('are acknowledged, resolved by hand once, and listed by their state', async () => {
    await fire('fan');
    expect(await shown('incidents acknowledge alerts/on-call/fan')).toMatch(
      /^alerts\/on-call\/fan is acknowledged, by \S+ at \d{4}-\S+ \S+; (nobody gets a message|1 receiver will be notified that somebody has it, unless they already were)\n/,
    );
    expect(await keys('incidents --state acknowledged')).toEqual(['fan']);
    expect(await shown('incidents resolve alerts/on-call/fan')).toMatch(
      /^alerts\/on-call\/fan is resolved; (nobody has to be notified|1 receiver will be notified)/,
    );
    expect(await keys('incidents --state resolved')).toEqual(['fan']);
    const both = 'incidents resolve alerts/on-call/disk alerts/on-call/fan alerts/on-call/none --json';
    const left = ['fan is not open', 'none is unknown: there is none, or it was deleted'];
    const { code, stdout, stderr } = await hookbell(both);
    expect([code, JSON.parse(stdout)]).toMatchObject([1, { changed: 1 }]);
    expectSays(stderr, '2 incidents not resolved', ...left.map((text) => `alerts/on-call/${text}`));
    await fire('disk');
    const asked = await hookbell('incidents acknowledge --source alerts');
    expect(asked.code).toBe(2);
    expectSays(asked.stderr, /Acknowledge 2 incidents at \S+\?.* use --yes/);
    expect(await shown('incidents acknowledge --all --yes')).toBe('2 incidents acknowledged\n');
    expect(await keys('incidents --critical')).toEqual([]);
    await post('alerts', { key: 'core', status: 'firing', severity: 'critical' });
    expect(await keys('incidents --critical')).toEqual(['core']);
  });

  it('that are not there, or are asked for wrongly, are one line', () =>
    expectRefused([
      ['incidents resolve alerts/on-call/fan', 1, /^hookbell: the incident is not open\n$/],
      ['incidents show disk', 1, '`disk` is not an incident: give its id (inc_…), or source/route/key'],
      ['incidents show alerts/on-call/none', 1, 'there is no such incident'],
      ['incidents resolve alerts/on-call/none', 1, 'there is no such incident'],
      ['incidents show', 2, 'missing required argument'],
      ['incidents resolve', 2, 'give either incidents, or --group and --source, or --all'],
      ['incidents list --state opened', 1, 'did you mean `open`?'],
      ['incidents --cursor nonsense', 1, 'cursor: must be the `next_cursor`'],
      ['events inc_YQ', 1, /inc_YQ is an incident: `\S+ npx hookbell incidents show inc_YQ` shows it/],
    ]));
});

it('before a change of documents it is said which open incidents it resolves', async () => {
  await publish();
  await publish(only('disks', route('on-call'), route('copy', {})));
  const before = await inForce();
  for (const key of ['one', 'two']) await post('disks', { key });
  await eventually(async () => expect(await keys('incidents --source disks --state open')).toHaveLength(2));
  const says = 'This resolves 2 open incidents of `disks`. Whoever was notified gets a message.\n';
  expect((await hookbell('rollback')).stdout).toContain(says);
  const gone = folderWith({ 'recipients/one.yaml': "numbers: ['4915112345678']\n" });
  expect((await hookbell(['push', gone])).stdout).toContain('This resolves 2 open incidents of `disks`.');
  expect(await shown(['push', gone, '--dry-run'])).toContain('This resolves 2 open incidents of `disks`.');
  expect(await inForce()).toBe(before);
  // Of a source that keeps other routes with incidents it is the most that they can be.
  await publish(only('disks', route('on-call'), route('other', { incident, when: 'false' })));
  expect((await hookbell('rollback')).stdout).toContain('This resolves up to 2 open incidents of `disks`.');
  await publish(only('disks', route('on-call', { incident, when: 'true' }), route('other')));
  const { stdout } = await hookbell('rollback');
  expect(stdout).toContain('disks');
  expect(stdout).not.toContain('resolves');
});
