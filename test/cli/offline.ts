import { cpSync, mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { z } from 'zod';
import '../../cli/node20.ts';
import type { Ask } from '../../cli/ask.ts';
import type { Io } from '../../cli/io.ts';
import { main } from '../../cli/main.ts';

export const ROOT = join(import.meta.dirname, '..', '..');
export const BIN = join(ROOT, 'bin', 'hookbell.mjs');
export const TOKEN = 'admin-token-of-the-tests';

/** The result of a run of the command line. */
export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string;
  /** Over HOOKBELL_URL and HOOKBELL_TOKEN of the tests. */
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

/** For a run in this process. */
export interface OwnOptions extends RunOptions {
  /** The width of its terminal, which has no colours; absent: it writes into a pipe. */
  readonly columns?: number;
  readonly ask?: Ask | null;
  /** Is given what Ctrl-C does to the command. */
  readonly onInterrupt?: (press: () => void) => void;
}

/** The variables that a run sees. Nothing listens at its relay, unless `over` names one. */
export const environment = (over: RunOptions['env']): Record<string, string | undefined> => ({
  PATH: process.env['PATH'],
  HOME: process.env['HOME'],
  TZ: 'UTC',
  HOOKBELL_URL: 'http://localhost:9',
  HOOKBELL_TOKEN: TOKEN,
  ...over,
});

/** The words of a command line; a word may have spaces in double quotes. */
export const words = (line: string): readonly string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '');

/** Runs `hookbell` in this process, to its end: the same but for the start, which takes longer than most commands. */
export async function hookbell(
  args: string | readonly string[],
  { cwd = ROOT, env, input = '', columns, ask = null, onInterrupt }: OwnOptions = {},
): Promise<Run> {
  const written = { stdout: '', stderr: '' };
  const io: Io = {
    stdout: {
      write: (text) => (written.stdout += text),
      ...(columns !== undefined && { isTTY: true, columns }),
    },
    stderr: { write: (text) => (written.stderr += text) },
    env: environment({ ...(columns !== undefined && { NO_COLOR: '1' }), ...env }),
    readStdin: () => input,
    interrupt: {
      handle: (handler) => {
        onInterrupt?.(handler);
        return () => undefined;
      },
      leave: () => {
        throw new Error('this process does not end');
      },
    },
    ask,
  };
  const code = await inFolder(cwd, () => main(typeof args === 'string' ? words(args) : args, io));
  return { code, ...written };
}

const running = { folder: ROOT, runs: 0 };

/** A process is in one folder at a time. */
async function inFolder<T>(folder: string, run: () => Promise<T>): Promise<T> {
  if (running.runs > 0 && running.folder !== folder)
    throw new Error('runs at the same time in different folders: use `hookbellProcess` or `start`');
  running.folder = folder;
  running.runs += 1;
  process.chdir(folder);
  try {
    return await run();
  } finally {
    running.runs -= 1;
    if (running.runs === 0) process.chdir(ROOT);
  }
}

/** A command line, its exit code, and what its one line of stderr says. */
export type Refusal = readonly [args: string | readonly string[], exit: number, why: string | RegExp];

/** Runs of `hookbell`, by way of `run`. */
export const runsBy = (run: typeof hookbell) => ({
  /** Runs it with `--json`, and reads its stdout. Throws if it fails, or if stdout is not JSON of the shape. */
  json: async <T>(
    args: string | readonly string[],
    shape: z.ZodType<T>,
    options?: OwnOptions,
  ): Promise<T> => {
    const given = typeof args === 'string' ? words(args) : args;
    const { stdout, stderr, code } = await run([...given, '--json'], options);
    if (code !== 0) throw new Error(`hookbell ${given.join(' ')}: ${code} ${stderr}`);
    return shape.parse(JSON.parse(stdout));
  },
  /** Returns what a run that succeeds prints. */
  shown: async (args: string | readonly string[], options?: OwnOptions): Promise<string> => {
    const { stdout, stderr, code } = await run(args, options);
    if (code !== 0) throw new Error(`hookbell ${String(args)}: ${code} ${stderr}`);
    return stdout;
  },
  /** Returns what a run that fails says. */
  refused: async (args: string | readonly string[], options?: OwnOptions): Promise<string> => {
    const { stdout, stderr, code } = await run(args, options);
    if (code === 0) throw new Error(`hookbell ${String(args)} succeeded: ${stdout}`);
    return stderr;
  },
  /** Expects each of these to print nothing but one line that says why it is refused. */
  expectRefused: async (refusals: readonly Refusal[], options?: () => OwnOptions): Promise<void> => {
    for (const [args, exit, why] of refusals) {
      const { code, stdout, stderr } = await run(args, options?.());
      const matches = typeof why === 'string' ? stderr.includes(why) : why.test(stderr);
      expect({
        args,
        code,
        stdout,
        lines: stderr.trim().split('\n').length,
        says: matches ? why : stderr,
      }).toEqual({ args, code: exit, stdout: '', lines: 1, says: why });
    }
  },
});

export const { json, shown, refused, expectRefused } = runsBy(hookbell);

/** Expects all of these in a text. */
export function expectSays(text: string, ...parts: readonly (string | RegExp)[]): void {
  const missing = parts.filter((part) =>
    typeof part === 'string' ? !text.includes(part) : !part.test(text),
  );
  expect(missing, text).toEqual([]);
}

/** The width of the widest line of a text without colours. */
export const widest = (text: string): number => Math.max(...text.split('\n').map((line) => line.length));

/** A folder that is deleted after the test. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'hookbell-cli-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}

/** Writes files into a folder, by their paths in it. */
export function folderWith(files: Readonly<Record<string, string>>, folder = newFolder()): string {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

/** A copy of the demonstration's configuration. */
export function demoCopy(): string {
  const folder = newFolder();
  cpSync(join(ROOT, 'examples/demo'), folder, { recursive: true });
  return folder;
}

/** Something that listens where a relay or a registry should, until the test ends. */
export async function serving(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://localhost:${typeof address === 'object' && address !== null ? address.port : 0}`;
}

/** Answers every request so. */
export const answering =
  (
    status: number,
    type: string,
    body = '',
    headers: Readonly<Record<string, string>> = {},
  ): RequestListener =>
  (_, response) =>
    response.writeHead(status, { 'content-type': type, ...headers }).end(body);
