import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import * as z from 'zod';

const SIMULATOR = join(import.meta.dirname, '../../simulator/main.ts');

const totalsSchema = z.object({ total: z.number(), delivered: z.number() });

/** Calls that arrived at all gateways, and messages that the phones got. */
export type Totals = z.infer<typeof totalsSchema>;

/** The simulator in a process of its own: what it costs is not the relay's. */
export class MakerLab {
  readonly url: string;
  readonly #process: ChildProcess;

  private constructor(url: string, child: ChildProcess) {
    this.url = url;
    this.#process = child;
  }

  static async open(): Promise<MakerLab> {
    const child = spawn(process.execPath, [SIMULATOR], {
      env: { ...process.env, SIMULATOR_PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    child.stdout.once('data', (line: Buffer) => resolve(line.toString()));
    child.once('exit', () => reject(new Error('the simulator ended')));
    const [url] = /http:\/\/[\d.]+:\d+/.exec(await promise) ?? [];
    if (url === undefined) throw new Error('the simulator says no address');
    return new MakerLab(url, child);
  }

  /** The next calls are cut in this way. */
  async cutNext(failure: 'reset_before' | 'reset' | 'cut', times: number): Promise<void> {
    const body = JSON.stringify({ steps: [{ failure, times }] });
    const { ok, status } = await fetch(`${this.url}/_control/script`, { method: 'PUT', body });
    if (!ok) throw new Error(`the simulator refuses the script: ${status}`);
  }

  async totals(): Promise<Totals> {
    const response = await fetch(`${this.url}/_control/health`);
    return totalsSchema.parse(await response.json());
  }

  async close(): Promise<void> {
    const ended = once(this.#process, 'exit');
    this.#process.kill();
    await ended;
  }
}
