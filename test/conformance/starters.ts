/// <reference types="vite/types/importMeta.d.ts" />
import { pressesOf } from '../../cli/phone-views/presses.ts';
import { namesAddress } from '../../shared/new-source/plan.ts';
import { compileConfig } from '../../src/config/compile/compile.ts';
import type { Source } from '../../src/config/compiled/config.ts';
import type { WebhookEvent } from '../../src/ingest/request/event.ts';
import { routeEvent } from '../../src/ingest/routing/match.ts';
import { parseBody } from '../../src/ingest/parse/parse.ts';
import type { RouteResult } from '../../src/ingest/routing/result.ts';
import { providers } from '../platform/providers.ts';
import { lookup } from '../../src/provider/lookup.ts';
import type { Provider } from '../../src/provider/provider.ts';
import { type Sample, sampleOf, type Starter } from '../../src/config/documents/provider-file.ts';
import {
  languageOf,
  withExamples,
  withTexts,
  type StarterTexts,
} from '../../src/config/documents/starter-texts.ts';
import { needsSecret, type VerifyScheme, verifySchema } from '../../src/signature/scheme.ts';
import { NOW } from '../signature/support.ts';

/** Every starter by its provider's id, as it is deployed. */
export const starters: ReadonlyMap<string, Starter> = new Map(
  Object.entries(
    import.meta.glob<Starter>('../../assets/providers/*.json', { eager: true, import: 'default' }),
  ).map(([path, starter]) => [/([^/]+)\.json$/.exec(path)?.[1] ?? path, starter]),
);

/** Every table of texts by its provider's id and its language. */
export const tables: ReadonlyMap<string, ReadonlyMap<string, StarterTexts>> = new Map(
  [...starters].map(([id, { texts }]) => [id, new Map(Object.entries(texts))]),
);

const readStarters = new Map<string, Starter>();

/** A starter with its texts, the example answers to what it asks, and an address where its tokens name one. */
export function starterOf(provider: Provider, locale = 'en'): Starter {
  const key = `${provider.id} ${languageOf(locale)}`;
  const starter = readStarters.get(key) ?? readStarter(provider, locale);
  readStarters.set(key, starter);
  return starter;
}

function readStarter(provider: Provider, locale: string): Starter {
  const starter = starters.get(provider.id);
  const texts = tables.get(provider.id);
  const own = texts?.get(languageOf(locale)) ?? texts?.get('en');
  if (starter === undefined) throw new Error(`assets/providers/${provider.id}.json is missing`);
  const worded = withExamples(withTexts(starter, own ?? {}));
  if (!namesAddress({ provider, starter: worded })) return worded;
  return { ...worded, source: { ...worded.source, url: `https://relay.example/hooks/${provider.id}` } };
}

export const samplesOf = (provider: Provider): readonly Sample[] => starterOf(provider).samples.map(sampleOf);

/** Every sample of every provider. */
export const SAMPLES = [...providers.values()].flatMap((provider) =>
  (starters.get(provider.id)?.samples ?? []).map(
    (sample) => [`${provider.id}: ${sample.name}`, provider, sampleOf(sample)] as const,
  ),
);

/** The scheme by which a starter's source is verified. */
export function verifyOf(provider: Provider): VerifyScheme | null {
  const own = starterOf(provider).source?.['verify'];
  return own === undefined ? provider.verify : verifySchema.parse(own);
}

/** Lists of recipients that starters may name: the tenant's own people. */
export const LISTS = ['team', 'on-call', 'shop-owners'] as const;

/** The number in each of them. */
export const TEAM = '491713920002';

/** The set that a tenant begins with: the starter as it is, and its lists filled. */
export function starterSet(provider: Provider, locale = 'en-GB') {
  const { source, routes, templates = {} } = starterOf(provider, locale);
  const verify = verifyOf(provider);
  const numbers = [TEAM];
  return {
    sources: {
      shop: {
        provider: provider.id,
        ...(verify === null && { verify: { scheme: 'none' } }),
        ...(verify !== null && needsSecret(verify) && { secrets: ['SHOP_WEBHOOK_SECRET'] }),
        country: 'DE',
        locale,
        timezone: 'Europe/Berlin',
        ...source,
        routes,
      },
    },
    templates,
    recipients: Object.fromEntries(LISTS.map((list) => [list, { numbers }])),
    accounts: {},
    silences: {},
    providers: {},
  };
}

const compiledSources = new Map<string, Source>();

export function compiledSource(provider: Provider, locale: string): Source {
  const key = `${provider.id} ${locale}`;
  const source = compiledSources.get(key) ?? compileStarter(provider, locale);
  compiledSources.set(key, source);
  return source;
}

function compileStarter(provider: Provider, locale: string): Source {
  const { config, errors } = compileConfig(starterSet(provider, locale), 1);
  const source = config.sources.get('shop');
  if (source === undefined || errors.length > 0) throw new Error(JSON.stringify(errors, null, 1));
  return source;
}

/** The facts of a sample for its provider: the parsed payload, headers and query. */
export async function factsOf(provider: Provider, sample: Sample) {
  const parsed = await parseBody(sample.content_type, new TextEncoder().encode(sample.body), provider.body);
  if (!parsed.ok) throw new Error(parsed.error.detail);
  return {
    payload: parsed.value.payload,
    headers: new Headers({ 'content-type': sample.content_type, ...sample.headers }),
    query: new URLSearchParams(sample.query),
  };
}

type Facts = Awaited<ReturnType<typeof factsOf>>;

const results = new WeakMap<Sample, Map<string, Promise<readonly RouteResult[]>>>();

/** The sample's results, route by route, in one locale. Several rules look at them. */
export function routeSample(
  provider: Provider,
  sample: Sample,
  locale: string,
): Promise<readonly RouteResult[]> {
  const known = results.get(sample) ?? new Map<string, Promise<readonly RouteResult[]>>();
  results.set(sample, known);
  const key = `${provider.id} ${locale}`;
  const result = known.get(key) ?? routeAnew(provider, sample, locale);
  known.set(key, result);
  return result;
}

const routeAnew = async (provider: Provider, sample: Sample, locale: string) =>
  routeFacts(provider, await factsOf(provider, sample), locale);

/** The results of the starter for a request, route by route. */
export const routeFacts = (provider: Provider, facts: Facts, locale: string): readonly RouteResult[] =>
  routeEvent(eventOf(provider, facts, locale));

/** The results of the starter for presses of the links in its messages for a sample. */
export async function routePresses(
  provider: Provider,
  sample: Sample,
  locale: string,
): Promise<readonly RouteResult[]> {
  const event = eventOf(provider, await factsOf(provider, sample), locale);
  const pressed = pressesOf(event, await routeSample(provider, sample, locale));
  return pressed.flatMap((press) => routeEvent(press.event));
}

/** A request as an event of the starter's source. */
export const eventOf = (provider: Provider, facts: Facts, locale: string): WebhookEvent => ({
  id: 'evt_1',
  source: compiledSource(provider, locale),
  type: lookup(provider.event_type, facts),
  receivedAt: NOW,
  dedupeKey: lookup(provider.dedupe, facts),
  signed: null,
  payload: facts.payload,
  headers: Object.fromEntries(facts.headers),
  query: Object.fromEntries(facts.query),
});

/** A payload with each text changed. `change` gets a text and the name that it has. */
export function retold(value: unknown, change: (text: string, name: string) => string, name = ''): unknown {
  if (typeof value === 'string') return change(value, name);
  if (Array.isArray(value)) return value.map((element) => retold(element, change, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, retold(inner, change, key)]));
}
