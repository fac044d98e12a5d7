import { beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../eventually.ts';
import { folderWith, hookbell, inForce, OPEN_SET, post, publish } from '../support.ts';

const route = (name: string, keys: object) => ({
  name,
  to: '4915112345673',
  send: { kind: 'text', message: 'something happened' },
  ...keys,
});
const incident = { key: '{{ payload.key }}' };
const alerts = (...routes: readonly object[]) => ({ verify: { scheme: 'none' }, limit: false, routes });
const withSource = (source: object) => ({ ...OPEN_SET, sources: { disks: source } });

describe('before a change of documents', () => {
  let before: number;

  beforeAll(async () => {
    await publish();
    await publish(withSource(alerts(route('on-call', { incident }), route('copy', {}))));
    before = await inForce();
    await post('disks', { key: 'one' });
    await post('disks', { key: 'two' });
    await eventually(async () =>
      expect((await hookbell(['incidents', '--source', 'disks'])).stdout.match(/ open /g)).toHaveLength(2),
    );
  });

  it('a rollback says which open incidents it resolves', async () => {
    const { stdout } = await hookbell(['rollback']);
    expect(stdout).toContain(
      'This resolves 2 open incidents of `disks`. Whoever was notified gets a message.\n',
    );
  });

  it('a push says it too, and with --dry-run', async () => {
    const gone = folderWith({ 'recipients/one.yaml': "numbers: ['4915112345678']\n" });
    const says = 'This resolves 2 open incidents of `disks`.';
    expect((await hookbell(['push', gone])).stdout).toContain(says);
    expect((await hookbell(['push', gone, '--dry-run'])).stdout).toContain(says);
    expect(await inForce()).toBe(before);
  });

  it('of a source that keeps other routes with incidents it gives the most that they can be', async () => {
    await publish(
      withSource(alerts(route('on-call', { incident }), route('other', { incident, when: 'false' }))),
    );
    const { stdout } = await hookbell(['rollback']);
    expect(stdout).toContain('This resolves up to 2 open incidents of `disks`.');
  });

  it('nothing is said where none is resolved', async () => {
    await publish(
      withSource(alerts(route('on-call', { incident, when: 'true' }), route('other', { incident }))),
    );
    const { stdout } = await hookbell(['rollback']);
    expect(stdout).toContain('disks');
    expect(stdout).not.toContain('resolves');
  });
});
