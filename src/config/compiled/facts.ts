import { lazyRecord, parseOwnJson } from '../../lib/json.ts';
import { describeError, log } from '../../lib/log.ts';
import { SingleFlight } from '../../lib/cache.ts';
import { type Maker, makers } from '../../gateway/shape.ts';
import { providers, type Provider } from '../../provider/provider.ts';
import { partials, type Partial } from '../../template/partials.ts';
import { plans, type Plans } from '../../phone/read.ts';
import { assetText } from '../../lib/bindings.ts';

/** What is not code: number formats, providers' signatures, gateways' calls, and texts that templates name. */
export type Facts = ReturnType<typeof parseFacts>;

type Texts = Readonly<Record<string, string>>;

/** The same in `assets/facts.json`, where each entry is a text of its own: an isolate needs few of them. */
export interface FactsFile extends Readonly<Record<'providers' | 'makers' | 'partials', Texts>> {
  readonly plans: Omit<Plans, 'countries'> & { readonly countries: Texts };
}

export function parseFacts(text: string) {
  const file = parseOwnJson<FactsFile>(text);
  const countries = lazyRecord<object>(file.plans.countries, parseOwnJson);
  const read: Plans = { ...file.plans, countries };
  return {
    plans: read,
    providers: lazyRecord<Provider>(file.providers, parseOwnJson),
    makers: lazyRecord<Maker>(file.makers, parseOwnJson),
    partials: lazyRecord<Partial>(file.partials, parseOwnJson),
  };
}

let inUse: Facts | null = null;

export function useFacts(facts: Facts | null): void {
  inUse = facts;
  plans.known = facts?.plans ?? null;
  providers.known = facts?.providers ?? null;
  makers.known = facts?.makers ?? null;
  partials.known = facts?.partials ?? null;
}

/** Only for the start of an isolate: what runs at the same time would use these facts, too. */
export async function withFacts<Done>(facts: Facts, work: () => Promise<Done>): Promise<Done> {
  const before = inUse;
  useFacts(facts);
  try {
    return await work();
  } finally {
    useFacts(before);
  }
}

/** Callers share a read and wait for it for two seconds. */
const reading = new SingleFlight<void>(
  2_000,
  'the facts on phone numbers and providers did not arrive in time',
);

/**
 * Reads the facts once; null if they are there. All code that reads a number, a source or an account awaits this first.
 * Calls `onRead` for each read; after a failure, the next caller tries again.
 */
export function readFacts(env: Pick<Env, 'ASSETS'>, now: number, onRead?: () => void): Promise<void> | null {
  if (inUse !== null) return null;
  return reading.run(now, () => {
    onRead?.();
    return read(env);
  });
}

async function read({ ASSETS }: Pick<Env, 'ASSETS'>): Promise<void> {
  try {
    useFacts(parseFacts(await assetText(ASSETS, 'facts.json')));
  } catch (thrown) {
    log('error', 'facts.read.failed', { error: describeError(thrown) });
    throw new Error('the facts on phone numbers and providers cannot be read', { cause: thrown });
  }
}
