import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** The oldest Node that the packages run on. */
const OLDEST = '20';

/** A person's empty home, with a Node and its npm, and nothing of this repository. */
export interface Home {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** Runs a program to its end, which is without a failure; returns what it printed. */
  run(cwd: string, command: string, ...args: readonly string[]): Promise<string>;
  start(
    cwd: string,
    env: Readonly<Record<string, string>>,
    command: string,
    ...args: readonly string[]
  ): Started;
  remove(): void;
}

interface Started {
  readonly child: ChildProcess;
  /** All that it printed so far. */
  readonly output: () => string;
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | string | null>;
}

export function emptyHome(node = OLDEST): Home {
  const folder = mkdtempSync(join(tmpdir(), 'hookbell-package-'));
  const home = join(folder, 'home');
  mkdirSync(home);
  const env = { ...networkOf(process.env), HOME: home, PATH: pathWith(nodeOf(node, folder)), CI: '1' };
  const start: Home['start'] = (cwd, more, command, ...args) => {
    const child = spawn(command, [...args], {
      cwd,
      env: { ...env, ...more },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    const { promise: ended, resolve } = Promise.withResolvers<number | string | null>();
    child.once('close', (code, signal) => resolve(signal ?? code));
    return { child, output: () => output, ended };
  };
  return {
    folder,
    env,
    start,
    run: async (cwd, command, ...args) => {
      const { output, ended } = start(cwd, {}, command, ...args);
      const code = await ended;
      if (code !== 0) throw new Error(`${[command, ...args].join(' ')}: ${code}\n${output()}`);
      return output();
    },
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/** The settings by which this machine reaches npm's registry: an empty home knows nothing of them. */
function networkOf(env: NodeJS.ProcessEnv): Record<string, string> {
  const registry = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
  const passed = Object.entries(env).filter(([name]) =>
    /^(https?_proxy|no_proxy|NODE_EXTRA_CA_CERTS|TMPDIR)$/i.test(name),
  );
  return {
    ...Object.fromEntries(passed.map(([name, value]) => [name, value ?? ''])),
    npm_config_registry: registry,
  };
}

/** The folder of a Node of this version: the machine's own, or else one that npm installs, with the npm that comes with it. */
function nodeOf(version: string, folder: string): string {
  const own = foldersOfPath().find((path) => {
    if (path.includes('node_modules') || !existsSync(join(path, 'node'))) return false;
    return versionOf(join(path, 'node')).startsWith(`v${version}.`);
  });
  if (own !== undefined) return own;
  const prefix = join(folder, 'node');
  const name = `node-${process.platform}-${process.arch}`;
  const npm = `npm@${version === '24' ? 11 : 10}`;
  execFileSync('npm', ['install', '--silent', '--prefix', prefix, `${name}@${version}`, npm]);
  return join(prefix, 'node_modules', '.bin');
}

const versionOf = (program: string): string => execFileSync(program, ['--version'], { encoding: 'utf8' });

/** Nothing of a repository's `node_modules`. */
const foldersOfPath = (): readonly string[] =>
  (process.env['PATH'] ?? '').split(delimiter).filter((path) => !path.includes('node_modules'));

const pathWith = (first: string): string => [first, ...foldersOfPath()].join(delimiter);

/** Processes with this text in their arguments or their working directory. Linux only. */
export function processesWith(text: string): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && name !== String(process.pid))
    .flatMap((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return line.includes(text) ? [line] : [];
      } catch {
        return [];
      }
    });
}
