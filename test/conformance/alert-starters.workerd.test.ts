import { describe, expect, it } from 'vitest';
import { starterOf } from './starters.ts';
import { allItemsOf, incidentRoutes } from './starter-items.ts';
import { providers } from '../../src/provider/catalog/catalog.ts';
import type { Provider } from '../../src/provider/provider.ts';
import { eventually } from '../eventually.ts';
import { publish, reached } from '../integration/relay.ts';
import {
  after,
  allRoutes,
  escalatingRoute,
  MINUTE,
  oneRoute,
  phoneOf,
  postSample,
  textsAt,
} from '../integration/alert-stage.ts';

void reached;

/** Every starter route that reports incidents, and a source and a receiver of its own for each. */
const ROUTES = [...providers.values()]
  .flatMap((provider) => incidentRoutes(provider).map((route) => ({ provider, route })))
  .map(({ provider, route }, at) => [`${provider.id}/${route}`, provider, route, phoneOf(at)] as const);

/** The names of the samples in which an incident of the route begins and ends. */
async function samplesOfPair(provider: Provider, route: string): Promise<readonly [string, string]> {
  const items = (await allItemsOf(provider)).filter((item) => item.route === route);
  for (const { key, sample, isResolved } of items) {
    const end = items.find((item) => item.isResolved && item.key === key && item.sample !== sample);
    if (!isResolved && end !== undefined) return [sample, end.sample];
  }
  throw new Error(`no pair of samples for ${provider.id}/${route}`);
}

async function send(provider: Provider, name: string, phone: string): Promise<void> {
  const document = starterOf(provider).samples.find((sample) => sample.name === name);
  if (document === undefined) throw new Error(`no sample ${name}`);
  await postSample(document, phone);
}

/** The senders' own words for how long it lasted. They count more than the times of the webhooks. */
const OWN_WORDS: ReadonlyMap<string, RegExp> = new Map([
  ['uptime-kuma/monitors', /^✅ .*\b6 minutes/su],
  ['better-stack/incidents', /^✅ .*\b26 minutes/su],
  ['uptimerobot/monitors', /^✅ .*\b26 minutes/su],
  ['new-relic/issues', /^✅ .*\b26 minutes/su],
  ['new-relic/others', /^✅ .*\b26 minutes/su],
  // An alert that is no longer critical may still be a warning.
  ['sentry/metric-critical', /^⚠️ .*\b17 minutes/su],
]);

describe('a starter of alerts, from webhook to phone', () => {
  it.each(ROUTES)('%s notifies of what opens and of what resolves', async (name, provider, route, phone) => {
    const [begins, ends] = await samplesOfPair(provider, route);
    await publish(oneRoute(provider, route, phone));
    await send(provider, begins, phone);
    await send(provider, begins, phone);
    await after(MINUTE);
    await eventually(async () => expect(await textsAt(phone)).toHaveLength(1));
    expect((await textsAt(phone))[0]).toMatch(/^[🔥❌] /u);
    await after(16 * MINUTE);
    await send(provider, ends, phone);
    await eventually(async () => expect(await textsAt(phone)).toHaveLength(2));
    expect((await textsAt(phone))[1]).toMatch(OWN_WORDS.get(name) ?? /^✅ .*\b17 minutes/su);
  });
});

describe('a starter of alerts with a second line, as init makes it', () => {
  const [first, second] = [phoneOf(900), phoneOf(901)];

  it('notifies it after 15 minutes in which nobody has acknowledged, and of the end', async () => {
    const grafana = providers.get('grafana');
    if (grafana === undefined) throw new Error('no Grafana');
    const [begins, ends] = await samplesOfPair(grafana, 'critical');
    await publish(await escalatingRoute(grafana, 'critical', first, second));
    await send(grafana, begins, first);
    await after(MINUTE);
    await eventually(async () => expect(await textsAt(first)).toHaveLength(1));
    await after(13 * MINUTE);
    expect(await textsAt(second)).toEqual([]);
    await after(2 * MINUTE);
    await eventually(async () => expect(await textsAt(second)).toHaveLength(1));
    expect((await textsAt(second))[0]).toMatch(/^🔥 [^]*\nI have it: [^]*\nNot acknowledged since /u);
    await send(grafana, ends, first);
    for (const phone of [first, second])
      await eventually(async () => expect((await textsAt(phone)).at(-1)).toMatch(/^✅ /u));
  });
});

const HOUR = 60 * MINUTE;

/** Providers with a sample of their test, and a receiver of its own for each. */
const TESTS = [...providers.values()]
  .filter((provider) => starterOf(provider).samples.some(({ name }) => name === 'test'))
  .map((provider, at) => [provider.id, provider, phoneOf(at + ROUTES.length)] as const);

describe('an owner’s first click', () => {
  it.each(TESTS)('the test of %s is reported once, and never again', async (_, provider, phone) => {
    await publish(allRoutes(provider, phone));
    await send(provider, 'test', phone);
    await eventually(async () => expect(await textsAt(phone)).toHaveLength(1));
    for (const hours of [4, 8, 24, 24 * 7]) {
      await after(hours * HOUR);
      expect(await textsAt(phone)).toHaveLength(1);
    }
    expect((await textsAt(phone))[0]).toMatch(/^🔔 Test message from /u);
  });

  it('an alert that Grafana never resolves is repeated once, and then it is forgotten', async () => {
    const grafana = providers.get('grafana');
    if (grafana === undefined) throw new Error('no Grafana');
    const phone = phoneOf(ROUTES.length + TESTS.length);
    await publish(allRoutes(grafana, phone));
    await send(grafana, 'warning', phone);
    await after(MINUTE);
    await eventually(async () => expect(await textsAt(phone)).toHaveLength(1));
    await after(4 * HOUR + MINUTE);
    await eventually(async () => expect(await textsAt(phone)).toHaveLength(2));
    for (let hour = 0; hour < 7 * 24; hour += 4) await after(4 * HOUR);
    expect(await textsAt(phone)).toHaveLength(2);
  });
});
