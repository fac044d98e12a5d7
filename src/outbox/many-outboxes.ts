import { readFacts } from '../config/compiled/facts.ts';
import { loadConfig, parsePublished, registry, useConfig } from '../config/load.ts';
import { describeError, log } from '../lib/log.ts';

export interface OutboxCall {
  readonly name: string;
  readonly method: keyof OutboxStub;
  readonly args: readonly unknown[];
}

export type Called = { readonly value: unknown } | { readonly error: string };

/** Calls that are passed on together: their answers come back as one, and an RPC's answer ends at 32 MiB. */
const TOGETHER = 16;
/** Characters of arguments that are passed on together: a publish sends the whole set to each. */
const MAX_ASKED = 4 * 1_024 * 1_024;
/** A thousand accounts and a large set are 500 portions of 3 MB: so many are in memory at a time. */
const PORTIONS_AT_ONCE = 6;

/** How many of the request's calls it takes to call this many outboxes at once, with small arguments. */
export const callsFor = (outboxes: number): number => Math.ceil(outboxes / TOGETHER);

type WaitingCall = OutboxCall & { readonly answer: (called: Called) => void };

/**
 * Calls of outboxes at the same moment go in portions to the registry, each one call of the 50 that the free plan
 * allows a request, so lists can read hundreds of accounts. Each call fails alone.
 */
export function withManyOutboxes(env: Env): Env {
  let waiting: WaitingCall[] = [];
  const flush = async (): Promise<void> => {
    // All calls of one expression are made in one turn of the event loop.
    await Promise.resolve();
    const calls = waiting;
    waiting = [];
    const portions = portionsOf(calls).values();
    const lane = async (): Promise<void> => {
      for (const portion of portions) await answerAll(env, portion);
    };
    await Promise.all(Array.from({ length: PORTIONS_AT_ONCE }, lane));
  };
  const call = async (asked: OutboxCall): Promise<unknown> => {
    const { promise, resolve } = Promise.withResolvers<Called>();
    waiting.push({ ...asked, answer: resolve });
    if (waiting.length === 1) void flush();
    const called = await promise;
    if ('error' in called) throw new Error(called.error);
    return called.value;
  };
  const getByName = (name: string): OutboxStub =>
    replacing<OutboxStub>(
      {},
      (method) =>
        (...args: readonly unknown[]) =>
          call({ name, method, args }),
    );
  const OUTBOX = replacing<Env['OUTBOX']>(env.OUTBOX, (key) =>
    key === 'getByName' ? getByName : env.OUTBOX[key],
  );
  return replacing<Env>(env, (key) => (key === 'OUTBOX' ? OUTBOX : env[key]));
}

const replacing = <Target extends object>(target: object, member: (key: keyof Target) => unknown): Target =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its callers name what it has
  new Proxy(target as Target, { get: (_, key): unknown => member(key as keyof Target) });

async function answerAll(env: Env, portion: readonly WaitingCall[]): Promise<void> {
  const asked = portion.map(({ name, method, args }) => ({ name, method, args }));
  const ask = async (): Promise<readonly Called[]> =>
    asked.length === 1 ? callEach(env, asked) : registry(env).callOutboxes(asked);
  const called = await ask().catch((thrown: unknown) => asked.map(() => ({ error: describeError(thrown) })));
  for (const [index, { answer }] of portion.entries()) answer(called[index] ?? { error: 'no answer' });
}

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

export type OutboxStub = ReturnType<Env['OUTBOX']['getByName']>;

export async function outboxNames(env: Env): Promise<readonly string[]> {
  const { accounts } = await loadConfig(env, Date.now());
  return [...accounts.keys()];
}

export async function askOutboxes<Answer>(
  env: Env,
  ask: (outbox: OutboxStub, name: string) => Promise<Answer>,
): Promise<readonly Answer[]> {
  const names = await outboxNames(env);
  return Promise.all(names.map((name) => ask(env.OUTBOX.getByName(name), name)));
}

/**
 * Has this isolate and all outboxes use a published set at once; KV may still have the old one at their location. One
 * that cannot be reached finds out by itself within a minute.
 */
export async function announce(env: Env, published: string | null): Promise<void> {
  if (published === null) return;
  // Accounts are compiled with them, and this isolate may have just started.
  await readFacts(env, Date.now());
  const { accounts } = useConfig(env.CONFIG, parsePublished(published), Date.now());
  const tell = (account: string): Promise<void> =>
    env.OUTBOX.getByName(account)
      .useConfig(published)
      .catch((thrown: unknown) =>
        log('warn', 'config.announce.failed', { account, error: describeError(thrown) }),
      );
  await Promise.all([...accounts.keys()].map(tell));
}

/** Returns the first answer that is not null. An id does not show which outbox has it. */
export const findInOutboxes = async <Found>(
  env: Env,
  find: (outbox: OutboxStub) => Promise<Found | null>,
): Promise<Found | null> => (await askOutboxes(env, find)).find((answer) => answer !== null) ?? null;
