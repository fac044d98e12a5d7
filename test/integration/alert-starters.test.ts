import { env } from 'cloudflare:workers';
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { describe, expect, it, vi } from 'vitest';
import { starterOf, starterSet } from '../conformance/starters.ts';
import { allItemsOf, incidentRoutes } from '../conformance/starter-items.ts';
import { providers } from '../../src/provider/catalog/catalog.ts';
import type { Provider } from '../../src/provider/provider.ts';
import { sampleOf } from '../../src/config/starter.ts';
import { eventually } from '../eventually.ts';
import { callsTo, post, publish, reached } from './relay.ts';

void reached;

/** Every starter route that tells incidents, and a source and a receiver of its own for each. */
const ROUTES = [...providers.values()]
  .flatMap((provider) => incidentRoutes(provider).map((route) => ({ provider, route })))
  .map(({ provider, route }, at) => [`${provider.id}/${route}`, provider, route, phoneOf(at)] as const);

function phoneOf(at: number): string {
  return `4917139200${String(at + 10)}`;
}

const sourceOf = (phone: string): string => `alerts-${phone}`;

/** The starter as it is, but that anybody may post. */
function setOf(provider: Provider, route: string, phone: string): object {
  const { sources, ...set } = starterSet(provider);
  const { secrets: _, ...source } = { secrets: [], ...sources.shop };
  const routes = starterOf(provider).routes.filter(({ name }) => name === route);
  const recipients = Object.fromEntries(
    Object.keys(set.recipients).map((list): [string, object] => [list, { numbers: [phone] }]),
  );
  const open = { ...source, verify: { scheme: 'none' }, limit: false, routes };
  return { ...set, recipients, sources: { [sourceOf(phone)]: open } };
}

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
  const { content_type, headers, body } = sampleOf(document);
  const response = await post(sourceOf(phone), body, { 'content-type': content_type, ...headers });
  expect(response.ok, await response.text()).toBe(true);
}

const texts = async (phone: string): Promise<readonly string[]> =>
  (await callsTo(phone)).map(({ params }) => params['message'] ?? '');

/** Goes on by so long: the object's own alarm rings if it is due by then. */
async function after(ms: number): Promise<void> {
  const now = Date.now() + ms;
  vi.spyOn(Date, 'now').mockReturnValue(now);
  const outbox = env.OUTBOX.getByName('default');
  const at = await runInDurableObject(outbox, (_, { storage }) => storage.getAlarm());
  if (at !== null && at <= now) await runDurableObjectAlarm(outbox);
}

const MINUTE = 60_000;

/** What senders say themselves of how long it lasted, which counts more than when their webhooks came. */
const OWN_WORDS: ReadonlyMap<string, RegExp> = new Map([
  ['uptime-kuma/monitors', /^✅ .*\b6 minutes/su],
  ['better-stack/incidents', /^✅ .*\b26 minutes/su],
  ['uptimerobot/monitors', /^✅ .*\b26 minutes/su],
  ['new-relic/issues', /^✅ .*\b26 minutes/su],
  // What is no longer critical may still be a warning.
  ['sentry/metric-critical', /^⚠️ .*\b17 minutes/su],
]);

describe('a starter of alerts, from webhook to phone', () => {
  it.each(ROUTES)('%s tells what begins, and what is over', async (name, provider, route, phone) => {
    const [begins, ends] = await samplesOfPair(provider, route);
    await publish(setOf(provider, route, phone));
    await send(provider, begins, phone);
    await send(provider, begins, phone);
    await after(MINUTE);
    await eventually(async () => expect(await texts(phone)).toHaveLength(1));
    expect((await texts(phone))[0]).toMatch(/^[🔥❌] /u);
    await after(16 * MINUTE);
    await send(provider, ends, phone);
    await eventually(async () => expect(await texts(phone)).toHaveLength(2));
    expect((await texts(phone))[1]).toMatch(OWN_WORDS.get(name) ?? /^✅ .*\b17 minutes/su);
  });
});
