/**
 * The relay under the platform's limit of calls, which the local runtime does not know: the same Worker, and in each of its
 * invocations a call too many fails with the platform's own words. Bindings are counted as well as the network.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { env as bindings } from 'cloudflare:workers';
import relay, { Outbox as RelayOutbox, Registry as RelayRegistry } from '../clock/relay.ts';
import { counted, TOO_MANY_CALLS } from '../platform-calls.ts';

const LIMIT = Number(Reflect.get(bindings, 'PLATFORM_CALLS'));

/** The calls that an invocation may still make. Outside of one (a socket's message, a timer) nothing is counted. */
const left = new AsyncLocalStorage<{ calls: number }>();

const invoke = <Answer>(body: () => Answer): Answer => left.run({ calls: LIMIT }, body);

function spend(what: string): void {
  const invocation = left.getStore();
  if (invocation === undefined) return;
  invocation.calls -= 1;
  if (invocation.calls >= 0) return;
  // oxlint-disable-next-line eslint/no-console -- looked for in the runtime's output when the proof is over
  console.error(TOO_MANY_CALLS, what);
  throw new Error(TOO_MANY_CALLS);
}

/** The first call of each message to this host finds none left, however few there were. */
const REFUSED_HOST: unknown = Reflect.get(bindings, 'PLATFORM_REFUSES');
const refused = new Set<unknown>();

const { fetch: realFetch } = globalThis;
globalThis.fetch = async (input, init) => {
  spend('fetch');
  if (input instanceof URL && input.host === REFUSED_HOST && !refused.has(init?.body)) {
    refused.add(init?.body);
    throw new Error(TOO_MANY_CALLS);
  }
  return realFetch(input, init);
};

/** The same bindings for everybody: what is read from KV is remembered by its binding. */
let limited: Env | null = null;
const limit = (env: Env): Env =>
  (limited ??= {
    ...env,
    CONFIG: counted(env.CONFIG, spend),
    ASSETS: counted(env.ASSETS, spend),
    OUTBOX: counted(env.OUTBOX, spend, true),
    REGISTRY: counted(env.REGISTRY, spend, true),
  });

export class Outbox extends RelayOutbox {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, limit(env));
  }

  override alarm(): Promise<void> {
    return invoke(() => super.alarm());
  }

  /** Its commit starts to send. */
  override accept(...args: Parameters<RelayOutbox['accept']>): ReturnType<RelayOutbox['accept']> {
    return invoke(() => super.accept(...args));
  }

  /** Messages that are handed on are sent at once. */
  override takeHanded(...args: Parameters<RelayOutbox['takeHanded']>): ReturnType<RelayOutbox['takeHanded']> {
    return invoke(() => super.takeHanded(...args));
  }

  override endedElsewhere(...args: Parameters<RelayOutbox['endedElsewhere']>): void {
    invoke(() => super.endedElsewhere(...args));
  }

  override send(...args: Parameters<RelayOutbox['send']>): ReturnType<RelayOutbox['send']> {
    return invoke(() => super.send(...args));
  }

  override resume(...args: Parameters<RelayOutbox['resume']>): ReturnType<RelayOutbox['resume']> {
    return invoke(() => super.resume(...args));
  }
}

export class Registry extends RelayRegistry {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, limit(env));
  }
}

export default {
  ...relay,
  fetch: (request, env, ctx) => invoke(() => relay.fetch(request, limit(env), ctx)),
} satisfies ExportedHandler<Env>;
