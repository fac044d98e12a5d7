import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, openSync, closeSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { relayClock } from '../clock/processes.ts';
import { workerdConfig, type WorkerdOptions, type WorkerService } from './workerd-config.ts';

const READY_WITHIN_MS = 30_000;

/** How a runtime is started. What was kept in `storeDir` by an earlier one is there again. */
interface RuntimeOptions extends Pick<
  WorkerdOptions,
  'storeDir' | 'compatibilityDate' | 'doors' | 'v8Flags'
> {
  /** The first one answers the port. */
  readonly workers: readonly [DeployedWorker, ...DeployedWorker[]];
  /** A free port, see {@link freePort}; a restart takes the same one again. */
  readonly port: number;
  /** A path of the first Worker that answers 2xx when it is up. */
  readonly readyPath: string;
  /** Further arguments of `workerd serve`. */
  readonly args?: readonly string[];
}

/** A Worker and its bundle. */
type DeployedWorker = Omit<WorkerService, 'file'> & { readonly module: string };

/** A workerd process. */
export interface Runtime {
  readonly url: string;
  readonly pid: number;
  /** Ends it as a power cut of its process would (SIGKILL): nothing is flushed, no handler runs. */
  kill(): Promise<void>;
  /** The most memory that it ever had resident, in MiB. */
  peakMemoryMib(): number;
  /** What it and the runs before it on the same store have printed. */
  output(): string;
}

/** Starts workerd itself, without a development server before it, and waits until the first Worker answers. */
export async function startRuntime(options: RuntimeOptions): Promise<Runtime> {
  const { port, readyPath, args = [] } = options;
  const { configFile, logFile } = writeFiles(options);
  const log = openSync(logFile, 'a');
  const child = spawn(workerdPath(), ['serve', ...args, configFile], { stdio: ['ignore', log, log] });
  closeSync(log);
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const kill = (): Promise<void> => {
    process.off('exit', killAtExit);
    child.kill('SIGKILL');
    return exited;
  };
  const killAtExit = (): void => void child.kill('SIGKILL');
  process.once('exit', killAtExit);

  const url = `http://127.0.0.1:${port}`;
  try {
    await untilReady(`${url}${readyPath}`, child);
  } catch (thrown) {
    await kill();
    throw new Error(`workerd did not start: ${readFileSync(logFile, 'utf8').slice(-2_000)}`, {
      cause: thrown,
    });
  }
  const pid = child.pid ?? 0;
  return {
    url,
    pid,
    kill,
    peakMemoryMib: () => peakMemoryMib(pid),
    output: () => readFileSync(logFile, 'utf8'),
  };
}

/** A port that nothing listens on just now. */
export function freePort(): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const probe = createServer();
  probe.once('error', reject);
  probe.listen(0, '127.0.0.1', () => {
    const address = probe.address();
    probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
  });
  return promise;
}

/** The configuration and the modules, beside the store. */
function writeFiles({
  workers,
  storeDir,
  port,
  doors = {},
  v8Flags = [],
  compatibilityDate,
}: RuntimeOptions) {
  const disk = join(storeDir, 'objects');
  mkdirSync(disk, { recursive: true });
  const place = ({ module, ...worker }: DeployedWorker): WorkerService => {
    const file = `${worker.name}.js`;
    writeFileSync(join(storeDir, file), module);
    return { ...worker, file, vars: { ...worker.vars, ...relayClock().vars } };
  };
  const [first, ...others] = workers;
  const configFile = join(storeDir, 'config.capnp');
  writeFileSync(
    configFile,
    workerdConfig({
      port,
      doors,
      storeDir: disk,
      v8Flags,
      compatibilityDate,
      workers: [place(first), ...others.map(place)],
    }),
  );
  return { configFile, logFile: join(storeDir, 'workerd.log') };
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS;
  while (child.exitCode === null && child.signalCode === null && Date.now() < deadline) {
    const answer = await fetch(url).catch(() => null);
    await answer?.arrayBuffer();
    if (answer?.ok === true) return;
    await sleep(20);
  }
  throw new Error(child.exitCode === null ? `no answer within ${READY_WITHIN_MS} ms` : 'it ended');
}

/** The binary that the installed wrangler runs. Its package says where it is, whatever the platform. */
function workerdPath(): string {
  const ofWrangler = createRequire(createRequire(import.meta.url).resolve('wrangler'));
  const loaded: unknown = ofWrangler('workerd');
  const path: unknown = loaded instanceof Object ? Reflect.get(loaded, 'default') : undefined;
  if (typeof path !== 'string') throw new Error('the package `workerd` does not say where its binary is');
  return path;
}

/** Linux only; elsewhere nothing is known, and 0 is said. */
function peakMemoryMib(pid: number): number {
  if (process.platform !== 'linux') return 0;
  const kib = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(kib) / 1_024);
}
