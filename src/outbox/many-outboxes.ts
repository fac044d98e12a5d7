import { registry } from '../config/registry-client.ts';
import { describeError } from '../lib/log.ts';

/** A call of an outbox, as data. */
export interface OutboxCall {
  readonly name: string;
  readonly method: string;
  readonly args: readonly unknown[];
}

/** Its result. */
export type Called = { readonly value: unknown } | { readonly error: string };

/**
 * The number of calls that are passed on together: their answers come back as one, and an RPC's answer ends at 32 MiB.
 */
const TOGETHER = 16;
/**
 * The number of characters of arguments that are passed on together, for the same limit: a publish sends the whole
 * set to each.
 */
const MAX_ASKED = 4 * 1_024 * 1_024;

/** Returns the number of the request's calls that it takes to call this many outboxes at once, with small arguments. */
export const callsFor = (outboxes: number): number => Math.ceil(outboxes / TOGETHER);

interface WaitingCall extends OutboxCall {
  readonly answer: (called: Called) => void;
}

/**
 * The bindings for a request of the admin API. Calls of outboxes that are made at the same moment are passed to the
 * registry in portions, and the registry makes them. A portion is one call of the request. The free plan allows 50 of
 * these, so lists can read hundreds of accounts. Each call fails alone, with its reason.
 */
export function withManyOutboxes(env: Env): Env {
  const outboxes = manyOutboxes(env);
  return new Proxy(env, {
    get: (target, key): unknown => (key === 'OUTBOX' ? outboxes : Reflect.get(target, key)),
  });
}

function manyOutboxes(env: Env): Env['OUTBOX'] {
  let waiting: WaitingCall[] = [];
  const flush = async (): Promise<void> => {
    // All calls of one expression are made in one turn of the event loop.
    await Promise.resolve();
    const calls = waiting;
    waiting = [];
    await Promise.all(
      portionsOf(calls).map(async (portion) => {
        const asked = portion.map(({ name, method, args }) => ({ name, method, args }));
        const ask = asked.length === 1 ? callEach(env, asked) : passOn(env, asked);
        const called = await ask.catch((thrown: unknown) =>
          asked.map(() => ({ error: describeError(thrown) })),
        );
        for (const [index, { answer }] of portion.entries()) answer(called[index] ?? { error: 'no answer' });
      }),
    );
  };
  const call = async (name: string, method: string, args: readonly unknown[]): Promise<unknown> => {
    const { promise, resolve } = Promise.withResolvers<Called>();
    waiting.push({ name, method, args, answer: resolve });
    if (waiting.length === 1) void flush();
    const called = await promise;
    if ('error' in called) throw new Error(called.error);
    return called.value;
  };
  return new Proxy(env.OUTBOX, {
    get: (outboxes, key): unknown =>
      key === 'getByName'
        ? (name: string) =>
            new Proxy(
              {},
              {
                get:
                  (_, method) =>
                  (...args: readonly unknown[]) =>
                    call(name, String(method), args),
              },
            )
        : Reflect.get(outboxes, key),
  });
}

/** Makes the calls, all at once. */
export const callEach = (
  { OUTBOX }: Pick<Env, 'OUTBOX'>,
  calls: readonly OutboxCall[],
): Promise<readonly Called[]> =>
  Promise.all(
    calls.map(async ({ name, method, args }): Promise<Called> => {
      try {
        const outbox = OUTBOX.getByName(name);
        const call: unknown = Reflect.get(outbox, method);
        if (typeof call !== 'function') throw new Error(`an outbox has no method ${method}`);
        return { value: await Reflect.apply(call, outbox, args) };
      } catch (thrown) {
        return { error: describeError(thrown) };
      }
    }),
  );

const passOn = async (env: Env, calls: readonly OutboxCall[]): Promise<readonly Called[]> =>
  registry(env).callOutboxes(calls);

function portionsOf(calls: readonly WaitingCall[]): readonly (readonly WaitingCall[])[] {
  const portions: WaitingCall[][] = [];
  let asked = Infinity;
  for (const call of calls) {
    const size = call.args.reduce<number>((sum, arg) => sum + (typeof arg === 'string' ? arg.length : 0), 0);
    const open = portions.at(-1);
    if (open === undefined || open.length >= TOGETHER || asked + size > MAX_ASKED) {
      portions.push([call]);
      asked = size;
    } else {
      open.push(call);
      asked += size;
    }
  }
  return portions;
}
