import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * A request's context, or an instance of an object: what I/O belongs to. Once it has ended, none of its I/O ends any more, as on
 * the platform.
 */
export interface Owner {
  /** The class of the object that it is an instance of; null: it is a request. */
  readonly className: string | null;
  readonly isAlive: boolean;
  /** Runs an event as soon as the input gate lets it in. */
  deliver(invocation: Invocation, run: () => void): void;
  /** Runs `send` once all that was written so far is on disk: the output gate. */
  released(send: () => void): void;
  /** I/O that has begun and not ended keeps its owner in memory. */
  begin(): void;
  end(): void;
}

/** One event that is being handled: a request, a call, an alarm, and all that its code goes on to do. */
export interface Invocation {
  readonly owner: Owner;
  /** Calls that may still be made: the platform counts subrequests for each invocation. */
  callsLeft: number;
  /** The `blockConcurrencyWhile` that this code is in. */
  readonly section: object | null;
}

/** The event whose code is running; continuations after an `await` keep it, whoever resolved the promise. */
const running = new AsyncLocalStorage<Invocation>();

export const runIn = <Value>(invocation: Invocation, work: () => Value): Value =>
  running.run(invocation, work);

/** Code of the Worker is running, rather than the platform. */
export const isInCode = (): boolean => running.getStore() !== undefined;

/** The event whose code is running. I/O outside of any is an error on the platform, too. */
export function currentInvocation(what: string): Invocation {
  const invocation = running.getStore();
  if (invocation === undefined)
    throw new Error(
      `Disallowed operation called within global scope: ${what}. Asynchronous I/O, timers and random values are not allowed there`,
    );
  return invocation;
}

/** Counts a call to something outside: KV, an asset, another object, a server. */
export function spendCall(invocation: Invocation): void {
  if (invocation.callsLeft <= 0) throw new Error('Too many subrequests.');
  invocation.callsLeft -= 1;
}

/** The two ways in which an I/O operation ends. */
export interface Ending<Value> {
  readonly resolve: (value: Value) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * An I/O operation of the code that runs. `start` begins it and ends it later, in a step of its own; the end reaches the code through
 * its owner's input gate, or never if the owner is gone.
 */
export function io<Value>(invocation: Invocation, start: (ending: Ending<Value>) => void): Promise<Value> {
  const { owner } = invocation;
  return new Promise<Value>((resolve, reject) => {
    let isOver = false;
    owner.begin();
    const settle = (finish: () => void): void => {
      if (isOver || !owner.isAlive) return;
      isOver = true;
      owner.deliver(invocation, () => {
        owner.end();
        finish();
      });
    };
    try {
      start({
        resolve: (value) => settle(() => resolve(value)),
        reject: (error) => settle(() => reject(error)),
      });
    } catch (thrown) {
      // It never began: the platform refused it.
      isOver = true;
      owner.end();
      throw thrown;
    }
  });
}
