import { describe, expect, it } from 'vitest';
import { compileConfig } from '../../src/config/compile.ts';
import type { Source } from '../../src/config/config.ts';
import { routeEvent } from '../../src/ingest/match.ts';
import { parseBody } from '../../src/ingest/parse.ts';
import { providers } from '../../src/provider/catalog.ts';
import { lookup } from '../../src/provider/lookup.ts';
import type { Provider, Sample } from '../../src/provider/provider.ts';
import { NOW } from '../signature/support.ts';

const ALL = [...providers].map(([id, provider]) => [id, provider] as const);
const CASES = ALL.flatMap(([id, provider]) =>
  provider.samples.map((sample) => [`${id}: ${sample.name}`, provider, sample] as const),
);

/** The least that a source needs beside its starter routes. */
function compile({ id, routes, verify }: Provider) {
  const scheme = verify === null ? { verify: { scheme: 'none' } } : { secrets: ['SHOP_WEBHOOK_SECRET'] };
  const source = {
    provider: id,
    country: 'DE',
    locale: 'en-GB',
    timezone: 'Europe/Berlin',
    routes,
    ...scheme,
  };
  const numbers = ['491713920002'];
  const recipients = { team: { numbers }, 'on-call': { numbers } };
  return compileConfig({ sources: { shop: source }, templates: {}, recipients, accounts: {} }, 1);
}

function compiledSource(provider: Provider): Source {
  const { config, errors } = compile(provider);
  const source = config.sources.get('shop');
  if (source === undefined) throw new Error(JSON.stringify(errors));
  return source;
}

async function route(provider: Provider, sample: Sample) {
  const payload = await parseBody(sample.content_type, new TextEncoder().encode(sample.body));
  if (!payload.ok) throw new Error(payload.error.detail);
  const facts = {
    payload: payload.value,
    headers: new Headers(sample.headers),
    query: new URLSearchParams(),
  };
  return routeEvent({
    id: 'evt_1',
    source: compiledSource(provider),
    type: lookup(provider.event_type, facts),
    receivedAt: NOW,
    dedupeKey: lookup(provider.dedupe, facts),
    payload: payload.value,
    headers: Object.fromEntries(facts.headers),
    query: {},
  });
}

const messagesOf = async (id: string) => {
  const provider = providers.get(id);
  if (provider === undefined) throw new Error(id);
  const results = await Promise.all(provider.samples.map((sample) => route(provider, sample)));
  return results.flat().flatMap(({ messages }) => messages.map(({ params }) => params['message']));
};

describe('starter routes', () => {
  it.each(ALL)('of %s can be published with nothing but their lists of recipients', (_, provider) => {
    expect(compile(provider).errors).toEqual([]);
  });

  it.each(CASES)('%s is taken by one at least, and none fails', async (_, provider, sample) => {
    const results = await route(provider, sample);
    expect(results.flatMap(({ failures }) => failures)).toEqual([]);
    expect(results.flatMap(({ messages }) => messages).length).toBeGreaterThan(0);
  });

  it.each(ALL)('of %s are each taken by one of its samples', async (_, provider) => {
    const results = await Promise.all(provider.samples.map((sample) => route(provider, sample)));
    const taken = results.flat().filter(({ result }) => result === 'matched');
    expect(new Set(taken.map((one) => one.route))).toEqual(new Set(provider.routes.map(({ name }) => name)));
  });

  it.each([
    ['stripe', 'Thanks Ada Lovelace! We got *€49.00*.'],
    [
      'github',
      '*example/shop*: Totals are off by a cent\nby ada\nhttps://github.com/example/shop/issues/1347',
    ],
    ['standard-webhooks', 'Welcome, Ada Lovelace!'],
    ['typeform', 'Thanks, we got your answers to *Book a table*.'],
    ['alertmanager', '✅ *InstanceDown* resolved\nweb-3.example.com has been down for more than 5 minutes'],
    ['generic', 'Your order 1042 is on its way: https://track.example.com/1042'],
  ])('of %s say what a person would', async (id, message) => {
    expect(await messagesOf(id)).toContain(message);
  });
});
