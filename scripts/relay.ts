import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream, mkdirSync, readFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { tmpdir } from 'node:os';

const ROOT = `${dirname(import.meta.dirname)}/`;
const READY_WITHIN_MS = 300_000;

/** The options of a relay on this machine: `vars` are all of the Worker's variables and secrets. */
interface RelayOptions {
  readonly port: number;
  readonly vars: Readonly<Record<string, string>>;
  readonly persistTo: string;
  readonly logFile: string;
  /** In place of the `main` of wrangler.toml. */
  readonly entry?: string;
}

/** A running relay. */
export interface Relay {
  readonly url: string;
  readonly exited: Promise<void>;
  stop(): Promise<void>;
}

/**
 * Wrangler finds free ports for the sockets between its parts and for its inspector before it takes them: of two that start
 * at once, one ends with this.
 */
const TAKEN = 'Address already in use';
const STARTS = 3;

/** Starts the Worker by `wrangler dev`, on workerd with its real KV and Durable Objects, and waits until it answers. */
export async function startRelay(options: RelayOptions): Promise<Relay> {
  for (let start = 1; ; start += 1) {
    try {
      return await startOnce(options);
    } catch (thrown) {
      if (start === STARTS || !readFileSync(options.logFile, 'utf8').includes(TAKEN)) throw thrown;
    }
  }
}

async function startOnce(options: RelayOptions): Promise<Relay> {
  const { port, vars, persistTo, logFile, entry } = options;
  mkdirSync(dirname(logFile), { recursive: true });
  // In place of `.dev.vars`, which Wrangler ignores when it is given a file.
  const secrets = writeVarsFile(vars);
  const child = spawn(
    process.execPath,
    [
      `${ROOT}node_modules/wrangler/bin/wrangler.js`,
      'dev',
      ...(entry === undefined ? [] : [entry, '--bundle']),
      '--ip',
      'localhost',
      '--port',
      String(port),
      '--persist-to',
      persistTo,
      '--show-interactive-dev-session=false',
      '--env-file',
      secrets.file,
    ],
    {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        WRANGLER_SEND_METRICS: 'false',
        NO_COLOR: '1',
        CLOUDFLARE_LOAD_DEV_VARS_FROM_DOT_ENV: 'true',
        CLOUDFLARE_INCLUDE_PROCESS_ENV: 'false',
      },
    },
  );
  const log = createWriteStream(logFile);
  child.stdout.pipe(log);
  child.stderr.pipe(log);
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  // The file is kept until then, since Wrangler reads it again when the code changes.
  void exited.then(secrets.remove);
  const url = `http://localhost:${port}`;
  await untilReady(url, child, logFile);
  return {
    url,
    exited,
    stop: () => {
      child.kill('SIGTERM');
      return exited;
    },
  };
}

async function untilReady(url: string, child: ChildProcess, logFile: string): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS;
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`the relay did not start; its log is ${logFile}`);
    // Wrangler holds a request while the Worker does not build.
    const answer = await fetch(`${url}/health`, { signal: AbortSignal.timeout(30_000) }).catch(() => null);
    if (answer?.ok === true) return;
    await sleep(100);
  }
  child.kill('SIGTERM');
  throw new Error(`the relay did not answer within ${READY_WITHIN_MS / 1_000} s; its log is ${logFile}`);
}

/** A file of variables that only this user can read. */
interface VarsFile {
  readonly file: string;
  readonly remove: () => void;
}

/** Writes variables for `wrangler dev --env-file`: everybody on the machine can read a process's arguments. */
export function writeVarsFile(vars: Readonly<Record<string, string>>): VarsFile {
  const lines = Object.entries(vars).map(([name, value]) => `${name}=${quoted(name, value)}\n`);
  const folder = mkdtempSync(join(tmpdir(), 'hookbell-'));
  const file = join(folder, 'vars.env');
  writeFileSync(file, lines.join(''), { mode: 0o600 });
  const remove = (): void => {
    process.removeListener('exit', remove);
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', remove);
  return { file, remove };
}

/** Wrangler reads with dotenv, which takes only single quotes and backticks literally, and then expands `$NAME`. */
function quoted(name: string, value: string): string {
  const quote = ["'", '`'].find((one) => !value.includes(one));
  if (quote === undefined || value.endsWith('\\'))
    throw new Error(`${name} cannot be passed on: it has both ' and \` in it, or ends in \\`);
  return quote + value.replaceAll('$', () => '\\$') + quote;
}
