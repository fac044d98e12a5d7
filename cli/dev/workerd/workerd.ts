import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRequire } from 'node:module';

export interface DeployedWorker {
  readonly name: string;
  readonly module: string;
  readonly objects: readonly { readonly binding: string; readonly className: string }[];
  /** KV bindings, and the service that answers them. */
  readonly kv?: Readonly<Record<string, string>>;
  /** Variables and secrets. The process gets them in its environment: {@link environmentOf}. */
  readonly vars?: Readonly<Record<string, string>>;
  /** Bindings to folders. Their files are answered as bytes without a type. */
  readonly folders?: Readonly<Record<string, string>>;
  readonly services?: Readonly<Record<string, string>>;
}

/** The options of a runtime. The store of an earlier one in `storeDir` is used again. */
export interface RuntimeOptions {
  readonly program: string;
  /** The first one answers the port. */
  readonly workers: readonly [DeployedWorker, ...DeployedWorker[]];
  readonly compatibilityDate: string;
  /** A free port, see {@link freePort}; a restart takes the same one again. */
  readonly port: number;
  /** Further ports, by the Worker that answers them. */
  readonly doors?: Readonly<Record<string, number>>;
  readonly storeDir: string;
  /** The file that its output is added to; by default beside the store. */
  readonly logFile?: string;
  /** Options of V8, such as `--max-old-space-size=100` (MiB, for each Worker). */
  readonly v8Flags?: readonly string[];
  /** A path of the first Worker that answers 2xx when it is up. */
  readonly readyPath: string;
  /** Further arguments of `workerd serve`. */
  readonly args?: readonly string[];
}

/** Writes the configuration of one process, with the names of secrets, and the modules beside it. */
function writeConfig({
  workers,
  storeDir,
  port,
  doors = {},
  v8Flags = [],
  compatibilityDate,
}: RuntimeOptions): string {
  const disk = join(storeDir, 'objects');
  mkdirSync(disk, { recursive: true });
  for (const { name, module } of workers) writeFileSync(join(storeDir, `${name}.js`), module);
  const services = workers.flatMap((one) => [
    workerService(one, compatibilityDate),
    ...Object.entries(one.folders ?? {}).map(
      ([binding, path]) => `(name = ${quote(`${one.name}-${binding}`)}, disk = (path = ${quote(path)}))`,
    ),
  ]);
  const sockets = Object.entries({ [workers[0].name]: port, ...doors }).map(
    ([worker, at]) =>
      `(name = ${quote(`http-${worker}`)}, address = "127.0.0.1:${at}", http = (), service = ${quote(worker)})`,
  );
  const configFile = join(storeDir, 'config.capnp');
  writeFileSync(
    configFile,
    `
using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "disk", disk = (path = ${quote(disk)}, writable = true)),
    (name = "internet", network = (allow = ["private", "public"], tlsOptions = (trustBrowserCas = true))),
    ${services.join(',\n    ')}
  ],
  v8Flags = [${v8Flags.map(quote).join(', ')}],
  sockets = [
    ${sockets.join(',\n    ')}
  ],
);
`,
  );
  return configFile;
}

/** The variables of all Workers, for the environment of the process: no other user of the machine can read it. */
const environmentOf = (workers: readonly DeployedWorker[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    workers.flatMap(({ name, vars = {} }) =>
      Object.entries(vars).map(([binding, value]) => [variable(name, binding), value] as const),
    ),
  );

const variable = (worker: string, binding: string): string => `WORKER_${worker}_${binding}`;

function workerService(worker: DeployedWorker, date: string): string {
  const { name, objects, kv = {}, vars = {}, folders = {}, services = {} } = worker;
  const bindings = [
    ...objects.map(({ binding, className }) => [
      binding,
      `durableObjectNamespace = (className = ${quote(className)})`,
    ]),
    ...Object.entries(kv).map(([binding, service]) => [binding, `kvNamespace = ${quote(service)}`]),
    ...Object.keys(vars).map((binding) => [binding, `fromEnvironment = ${quote(variable(name, binding))}`]),
    ...Object.keys(folders).map((binding) => [binding, `service = ${quote(`${name}-${binding}`)}`]),
    ...Object.entries(services).map(([binding, service]) => [binding, `service = ${quote(service)}`]),
  ].map(([binding = '', value]) => `(name = ${quote(binding)}, ${value})`);
  const namespaces = objects.map(
    ({ className }) =>
      // The key names the folder of the class's objects: it must be the same in each run on one store.
      `(className = ${quote(className)}, uniqueKey = ${quote(`${name}-${className}`)}, enableSql = true)`,
  );
  return `(name = ${quote(name)}, worker = (
      modules = [(name = "index.js", esModule = embed ${quote(`${name}.js`)})],
      compatibilityDate = ${quote(date)},
      durableObjectStorage = (localDisk = "disk"),
      durableObjectNamespaces = [${namespaces.join(', ')}],
      bindings = [${bindings.join(', ')}],
    ))`;
}

/** A text literal. Characters outside ASCII are written byte by byte. Control characters are not needed. */
function quote(text: string): string {
  if (/\p{Cc}/u.test(text)) throw new Error('no control characters go into a workerd configuration');
  return JSON.stringify(text).replaceAll(/[^ -~]+/g, (others) =>
    [...new TextEncoder().encode(others)].map((byte) => `\\x${byte.toString(16)}`).join(''),
  );
}

const READY_WITHIN_MS = 30_000;
/** The longest time that a process may take to finish the requests in flight. */
const STOP_WITHIN_MS = 10_000;

export type Runtime = Awaited<ReturnType<typeof startWorkerd>>;

/** Starts workerd itself, without a development server before it, and waits until the first Worker answers. */
export async function startWorkerd(options: RuntimeOptions) {
  const { program, port, readyPath, workers, args = [] } = options;
  const { logFile = join(options.storeDir, 'workerd.log') } = options;
  const configFile = writeConfig(options);
  const log = openSync(logFile, 'a');
  const child = spawn(program, ['serve', ...args, configFile], {
    stdio: ['ignore', log, log],
    env: { ...process.env, ...environmentOf(workers) },
  });
  closeSync(log);
  const started = Promise.withResolvers<never>();
  child.once('error', started.reject);
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const end = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
    process.off('exit', killAtExit);
    child.kill(signal);
    await exited;
  };
  const killAtExit = (): void => void child.kill('SIGKILL');
  process.once('exit', killAtExit);

  const url = `http://127.0.0.1:${port}`;
  try {
    await Promise.race([started.promise, untilReady(`${url}${readyPath}`, child)]);
  } catch (thrown) {
    process.off('exit', killAtExit);
    if (child.pid !== undefined) await end('SIGKILL');
    const why =
      child.pid === undefined ? `${program} cannot be run` : readFileSync(logFile, 'utf8').slice(-2_000);
    throw new Error(`workerd did not start: ${why}`, { cause: thrown });
  }
  return {
    url,
    pid: child.pid ?? 0,
    exited,
    /** Ends it as a power cut of its process would (SIGKILL): nothing is flushed, no handler runs. */
    kill: () => end('SIGKILL'),
    /** Ends it once the requests in flight are answered, at the latest after 10 s. */
    stop: async () => {
      const late = setTimeout(killAtExit, STOP_WITHIN_MS);
      await end('SIGTERM');
      clearTimeout(late);
    },
    /** The output of it and of the runs before it on the same store. */
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

/** The binary of workerd: hookbell's own, or that of the Wrangler in the current folder; null: npm installed none. */
export function workerdPath(): string | null {
  const own = createRequire(import.meta.url);
  const project = createRequire(join(process.cwd(), 'package.json'));
  return load(own) ?? load(from(own, 'wrangler')) ?? load(project) ?? load(from(project, 'wrangler'));
}

function from(require: NodeJS.Require, name: string): NodeJS.Require | null {
  try {
    return createRequire(require.resolve(name));
  } catch {
    return null;
  }
}

/** The package says where its binary is, and throws if there is none for this system. */
function load(require: NodeJS.Require | null): string | null {
  try {
    const loaded: unknown = require?.('workerd');
    const path: unknown = loaded instanceof Object ? Reflect.get(loaded, 'default') : undefined;
    return typeof path === 'string' ? path : null;
  } catch {
    return null;
  }
}
