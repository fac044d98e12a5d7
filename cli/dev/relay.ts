import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod/mini';
import { startWorkerd, workerdPath, type Runtime } from './workerd/workerd.ts';
import { ROOT, RUNTIME_FOLDER, RUNTIME_SETTINGS, WORKER_FILE } from '../built.ts';

interface DevRelayOptions {
  readonly port: number;
  readonly vars: Readonly<Record<string, string>>;
  readonly storeDir: string;
  readonly logFile: string;
  /** The Worker's module; absent: the one of this hookbell. */
  readonly worker?: string;
}

const settingsSchema = z.object({ compatibilityDate: z.string(), workerFirst: z.array(z.string()) });

/** Starts the built Worker on workerd alone, with its store on disk, and waits until it answers. Throws when it does not. */
export async function startDevRelay(
  options: DevRelayOptions,
): Promise<Pick<Runtime, 'url' | 'exited' | 'stop'>> {
  const { port, vars, storeDir, logFile, worker = join(ROOT, WORKER_FILE) } = options;
  const program = workerdPath();
  if (program === null)
    throw new Error(
      `the package workerd is not installed for this system (${process.platform}-${process.arch}): npm skips it silently if it cannot be downloaded. Run \`npm install\` again, or \`npm install workerd\``,
    );
  const { compatibilityDate, workerFirst } = settingsSchema.parse(JSON.parse(read(RUNTIME_SETTINGS)));
  const around = (name: string): string => read(`${RUNTIME_FOLDER}/${name}.js`);
  mkdirSync(dirname(logFile), { recursive: true });
  rmSync(logFile, { force: true });
  const runtime = await startWorkerd({
    program,
    port,
    storeDir,
    logFile,
    compatibilityDate,
    readyPath: '/health',
    workers: [
      {
        name: 'front',
        module: around('front'),
        objects: [],
        services: { ASSETS: 'assets', RELAY: 'relay' },
        vars: {
          WORKER_FIRST: JSON.stringify(workerFirst),
          PUBLIC_HOST: URL.parse(vars['PUBLIC_URL'] ?? '')?.hostname ?? '',
        },
      },
      {
        name: 'relay',
        module: readFileSync(worker, 'utf8'),
        objects: [
          { binding: 'OUTBOX', className: 'Outbox' },
          { binding: 'REGISTRY', className: 'Registry' },
        ],
        kv: { CONFIG: 'kv' },
        services: { ASSETS: 'assets' },
        vars,
      },
      { name: 'assets', module: around('assets'), objects: [], folders: { FILES: join(ROOT, 'assets') } },
      { name: 'kv', module: around('kv'), objects: [{ binding: 'STORE', className: 'KvStore' }] },
    ],
  });
  return { ...runtime, url: `http://localhost:${port}` };
}

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/** The relay's words, in its log, for tables that this version cannot use. */
const NOT_OURS =
  /the \w+(?: has tables that no release made \([^)]*\)|'s tables have version \d+, but this code has version \d+)/;

/** Says what to do about a store that this hookbell cannot read; null: it is another fault. */
export function unreadableStoreText(logFile: string, store: string): string | null {
  const [found] = NOT_OURS.exec(existsSync(logFile) ? readFileSync(logFile, 'utf8') : '') ?? [];
  return found === undefined
    ? null
    : `the store in .wrangler is not of this hookbell (${found}): start with an empty store by deleting ${store}`;
}
