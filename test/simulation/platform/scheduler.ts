import type { Random } from '../simulation.ts';

/** A step that waits for its time. */
export interface Step {
  readonly at: number;
  cancel(): void;
}

interface Entry extends Step {
  readonly tie: number;
  readonly order: number;
  run: (() => void) | null;
}

/**
 * Runs every microtask that is due, and returns when none is left: what `await` continues with has then happened. Node
 * offers it to embedders under this name; it works outside of microtasks only, so the scheduler runs in a macrotask.
 */
const drainMicrotasks = ((): (() => void) => {
  const drain: unknown = Reflect.get(process, '_tickCallback');
  if (typeof drain !== 'function')
    throw new Error('this Node cannot run microtasks on demand; use the one of package.json');
  return () => void Reflect.apply(drain, process, []);
})();

/**
 * The simulated time. Whatever would take time is a step with the moment that it is due at; steps of the same moment go in an
 * order that the seed decides. Between two steps all microtasks run, so that code is interrupted at its awaits only.
 */
export class Scheduler {
  readonly #random: Random;
  readonly #afterStep: (() => void)[] = [];
  readonly #heap: Entry[] = [];
  #order = 0;
  #now: number;
  #steps = 0;

  constructor(startAt: number, random: Random) {
    this.#now = startAt;
    this.#random = random;
  }

  /** Simulated ms since 1970, with fractions. */
  get now(): number {
    return this.#now;
  }

  get steps(): number {
    return this.#steps;
  }

  /** Runs `work` once the step that is running, and what its awaits continue with, has ended. */
  whenStepEnds(work: () => void): void {
    this.#afterStep.push(work);
  }

  after(ms: number, run: () => void): Step {
    return this.at(this.#now + Math.max(0, ms), run);
  }

  at(at: number, run: () => void): Step {
    this.#order += 1;
    const entry: Entry = {
      at,
      tie: this.#random.next(),
      order: this.#order,
      run,
      cancel: () => void (entry.run = null),
    };
    push(this.#heap, entry);
    return entry;
  }

  /** Runs the next step, unless it is later than `until`; returns whether there was one. */
  step(until: number): boolean {
    const next = this.#heap[0];
    if (next === undefined || next.at > until) return false;
    pop(this.#heap);
    const { run } = next;
    if (run === null) return true;
    this.#steps += 1;
    if (next.at > this.#now) this.#now = next.at;
    run();
    drainMicrotasks();
    while (this.#afterStep.length > 0) {
      const works = this.#afterStep.splice(0);
      for (const work of works) work();
      drainMicrotasks();
    }
    return true;
  }

  /** Time passes until then, with nothing left to do. */
  passTo(at: number): void {
    if (at > this.#now) this.#now = at;
  }
}

const isBefore = (a: Entry, b: Entry): boolean =>
  a.at !== b.at ? a.at < b.at : a.tie !== b.tie ? a.tie < b.tie : a.order < b.order;

function push(heap: Entry[], entry: Entry): void {
  let index = heap.length;
  heap.push(entry);
  while (index > 0) {
    const above = (index - 1) >> 1;
    const parent = heap[above];
    if (parent === undefined || !isBefore(entry, parent)) break;
    heap[index] = parent;
    index = above;
  }
  heap[index] = entry;
}

function pop(heap: Entry[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  let index = 0;
  for (;;) {
    const left = heap[2 * index + 1];
    const right = heap[2 * index + 2];
    if (left === undefined) break;
    const isRight = right !== undefined && isBefore(right, left);
    const child = isRight ? right : left;
    if (!isBefore(child, last)) break;
    heap[index] = child;
    index = 2 * index + (isRight ? 2 : 1);
  }
  heap[index] = last;
}
