import relay from '../../src/index.ts';
import type { Acceptance, Receipt } from '../../src/outbox/state/acceptance.ts';
import { fixedWork } from './shared.ts';

export { Outbox, Registry } from '../../src/index.ts';

/** The bindings of the relay; `SETS` has published sets in place of KV, and `SET` names the isolate's own. */
interface ColdEnv extends Env {
  readonly SETS: Fetcher;
  readonly SET: string;
}

/** One for the isolate: by its `CONFIG` the relay knows what it has read. */
let bindings: Env | null = null;

/**
 * The whole relay, in front of an outbox that takes everything: the work of objects is not that of a webhook's request.
 * `/` only answers, and `/reference` after a fixed piece of work.
 */
export default {
  fetch: async (request, env, ctx) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/') return new Response('ready');
    if (pathname === '/reference') return new Response(String(fixedWork()));
    return relay.fetch(request, (bindings ??= withStandIns(env)), ctx);
  },
} satisfies ExportedHandler<ColdEnv>;

function withStandIns(env: ColdEnv): Env {
  const get = async (): Promise<string> => (await env.SETS.fetch(`https://sets.invalid/${env.SET}`)).text();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the trip of a webhook uses nothing else of them
  return { ...env, CONFIG: { get }, OUTBOX } as unknown as Env;
}

const accept = async ({ event, messages, items = [] }: Acceptance): Promise<Receipt> => {
  // Else a source that no longer fits its webhook would make the figures better.
  if (event.state !== 'routed') throw new Error(`${event.state}: ${JSON.stringify(event.reasons)}`);
  return {
    event: event.id,
    duplicate: false,
    messages: messages.map((_, index) => `msg_${index}`),
    waiting: items.length,
  };
};

const OUTBOX = { getByName: () => ({ accept }) };
