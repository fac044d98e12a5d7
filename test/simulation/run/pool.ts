import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { Job } from './child.ts';
import type { RunResult } from './run-seed.ts';

/** The progress of the run in one of the processes. */
export interface Progress {
  readonly simulatedMs: number;
  readonly counts: Readonly<Record<string, number>>;
}

type Answer =
  | { readonly kind: 'ready' }
  | ({ readonly kind: 'progress' } & Progress)
  | { readonly kind: 'result'; readonly result: RunResult };

interface Worker {
  readonly child: ChildProcess;
  finish: ((result: RunResult) => void) | null;
  progress: Progress | null;
}

interface Waiting {
  readonly job: Job;
  readonly finish: (result: RunResult) => void;
}

/** Processes that run one seed each at a time. */
export class Pool {
  readonly #workers: Worker[];
  readonly #waiting: Waiting[] = [];
  #failure: ((error: Error) => void) | null = null;
  #isClosed = false;
  /** Rejects when a process ends by itself. */
  readonly failed: Promise<never>;

  constructor(size: number) {
    this.failed = new Promise((_, reject) => (this.#failure = reject));
    // Whoever runs something waits for it; without any, nobody does.
    this.failed.catch(() => undefined);
    this.#workers = Array.from({ length: size }, () => this.#start());
  }

  get size(): number {
    return this.#workers.length;
  }

  #start(): Worker {
    const child = fork(join(import.meta.dirname, 'child.ts'), {
      // Each isolate is new to the engine: code that is compiled early pays here.
      execArgv: [
        '--always-sparkplug',
        // A day throws away much of what it makes: fewer collections, a tenth less time.
        '--max-semi-space-size=64',
      ],
    });
    // Busy until it is ready.
    const worker: Worker = { child, finish: () => undefined, progress: null };
    child.on('message', (answer: Answer) => {
      if (answer.kind === 'progress') {
        worker.progress = answer;
        return;
      }
      const { finish } = worker;
      worker.finish = null;
      worker.progress = null;
      if (answer.kind === 'result') finish?.(answer.result);
      this.#next(worker);
    });
    child.on('exit', (code, signal) => {
      if (!this.#isClosed)
        this.#failure?.(new Error(`a process of the simulation ended with ${code ?? signal}`));
    });
    return worker;
  }

  #next(worker: Worker): void {
    const next = worker.finish === null ? this.#waiting.shift() : undefined;
    if (next === undefined) return;
    worker.finish = next.finish;
    worker.child.send(next.job);
  }

  run(job: Job): Promise<RunResult> {
    const done = new Promise<RunResult>((finish) => {
      this.#waiting.push({ job, finish });
      const free = this.#workers.find((worker) => worker.finish === null);
      if (free !== undefined) this.#next(free);
    });
    return Promise.race([done, this.failed]);
  }

  get progress(): readonly Progress[] {
    return this.#workers.flatMap(({ progress }) => (progress === null ? [] : [progress]));
  }

  close(): void {
    this.#isClosed = true;
    for (const { child } of this.#workers) child.kill();
  }
}
