import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ASSETS, compatibilityDate } from '../e2e/build.ts';
import { freePort, startRuntime, type Runtime } from '../e2e/runtime.ts';
import { coldWebhooks, publishedText, SECRETS, type ColdWebhook } from './cold-webhooks.ts';
import { REFERENCE, type Case, type Cold } from './cold-tables.ts';
import { median } from './measure.ts';

/** The runs of the fixed piece of work in a round. */
const REFERENCES = 5;

/** An isolate of the process, which has a port of its own. */
interface Isolate extends Case {
  readonly name: string;
  readonly port: number;
}

/** Starts cold isolates in workerd, and measures the CPU of their first webhooks. */
export class ColdLab {
  readonly #folder: string;
  readonly #module: string;
  #rounds = 0;

  constructor(folder: string, module: string) {
    this.#folder = folder;
    this.#module = module;
  }

  /**
   * Measures each case in an isolate of its own, in one process: on the platform, an isolate starts in a process that
   * runs others. So the first isolate gets each webhook before, and is not measured.
   */
  async round(cases: readonly Case[]): Promise<readonly Cold[]> {
    this.#rounds += 1;
    const webhooks = coldWebhooks(new Date());
    const isolates: Isolate[] = [];
    for (const [index, one] of [...cases.slice(0, 1), ...cases].entries())
      isolates.push({ ...one, name: `isolate${index}`, port: await freePort() });
    const runtime = await this.#start(isolates, (kind) => webhooks[kind]);
    try {
      const start = threadMs(runtime.pid) / isolates.length;
      const [warm, ...cold] = isolates;
      const colds: Cold[] = [];
      if (warm === undefined) return [];
      await spent(runtime.pid, warm, webhooks[warm.kind]);
      const references: number[] = [];
      for (let n = 0; n < REFERENCES; n += 1) references.push(await spent(runtime.pid, warm, REFERENCE.path));
      const reference = median(references);
      for (const isolate of cold) {
        const { kind, sources } = isolate;
        // Its HTTP belongs to the runtime, and is not the Worker's.
        const http = await spent(runtime.pid, isolate, '/');
        const first = (await spent(runtime.pid, isolate, webhooks[kind])) - http;
        const next = (await spent(runtime.pid, isolate, webhooks[kind])) - http;
        colds.push({ kind, sources, first, next, start, reference });
      }
      return colds;
    } finally {
      await runtime.kill();
    }
  }

  async #start(
    isolates: readonly Isolate[],
    webhookOf: (kind: Case['kind']) => ColdWebhook,
  ): Promise<Runtime> {
    const storeDir = join(this.#folder, `round${this.#rounds}`);
    const sets = join(storeDir, 'sets');
    mkdirSync(sets, { recursive: true });
    const workers = isolates.map(({ name, kind, sources }) => {
      writeFileSync(join(sets, name), publishedText(webhookOf(kind), sources));
      return {
        name,
        module: this.#module,
        objects: [],
        folders: { ASSETS, SETS: sets },
        vars: { ...SECRETS, SET: name },
      };
    });
    const [first, ...others] = workers;
    const [door, ...doors] = isolates;
    if (first === undefined || door === undefined) throw new Error('there is nothing to measure');
    return startRuntime({
      port: door.port,
      doors: Object.fromEntries(doors.map(({ name, port }) => [name, port])),
      storeDir,
      compatibilityDate: compatibilityDate(),
      readyPath: '/',
      workers: [first, ...others],
    });
  }
}

/** The CPU of the process's thread for one webhook, or for a request of the page at a path, in ms. */
async function spent(pid: number, { name, port }: Isolate, what: ColdWebhook | string): Promise<number> {
  const url = `http://127.0.0.1:${port}`;
  const before = threadMs(pid);
  const path = typeof what === 'string' ? what : what.path;
  const sent = typeof what === 'string' ? {} : { method: 'POST', headers: what.headers, body: what.body };
  const answer = await fetch(url + path, { redirect: 'manual', ...sent });
  const text = await answer.text();
  if (answer.status >= 400) throw new Error(`${name}, ${path}: ${answer.status} ${text}`);
  return threadMs(pid) - before;
}

/**
 * The CPU that the process's first thread has had, in ms, once it sleeps: while it runs, the figure is that of the last
 * tick. All JavaScript runs in this thread. V8's helpers, which compile hot code and collect garbage, have others.
 */
function threadMs(pid: number): number {
  const task = `/proc/${pid}/task/${pid}`;
  while (!/\) S /.test(readFileSync(`${task}/stat`, 'utf8')));
  return Number(readFileSync(`${task}/schedstat`, 'utf8').split(' ')[0]) / 1_000_000;
}
