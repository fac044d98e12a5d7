import { afterEach, expect, it, vi } from 'vitest';
import '../platform/facts.ts';
import { providers } from '../platform/providers.ts';
import type { Provider } from '../../src/provider/provider.ts';
import { eventually } from '../eventually.ts';
import {
  after,
  allRoutes,
  MINUTE,
  oneRoute,
  phoneOf,
  postSample,
  textsAt,
} from '../integration/alert-stage.ts';
import { publish } from '../integration/relay.ts';
import { rule } from './rule.ts';
import { allItemsOf, incidentRoutes } from './starter-items.ts';
import { compiledSource, starterOf } from './starters.ts';

const HOUR = 60 * MINUTE;
const ALL = [...providers.values()];

afterEach(() => void vi.restoreAllMocks());

/** The receivers of these tests: each has its own. */
let phones = 0;
const newPhone = (): string => phoneOf((phones += 1));

function providerOf(id: string): Provider {
  const provider = providers.get(id);
  if (provider === undefined) throw new Error(id);
  return provider;
}

async function send(provider: Provider, name: string, phone: string): Promise<void> {
  const document = starterOf(provider).samples.find((sample) => sample.name === name);
  if (document === undefined) throw new Error(`no sample ${name}`);
  await postSample(document, phone);
}

/** Waits for so many texts in all, and returns the last. */
async function arrived(phone: string, count: number): Promise<string> {
  await eventually(async () => expect(await textsAt(phone)).toHaveLength(count));
  return (await textsAt(phone)).at(-1) ?? '';
}

/** The names of the samples in which an incident of the route begins and ends. */
async function samplesOfPair(provider: Provider, route: string): Promise<readonly [string, string]> {
  const items = (await allItemsOf(provider)).filter(
    (item) => item.route === route && item.holder === undefined,
  );
  for (const { key, sample, isResolved } of items) {
    const end = items.find((item) => item.isResolved && item.key === key && item.sample !== sample);
    if (!isResolved && end !== undefined) return [sample, end.sample];
  }
  throw new Error(`no pair of samples for ${provider.id}/${route}`);
}

/** Every starter route that reports incidents. */
const ROUTES = ALL.flatMap((provider) =>
  incidentRoutes(provider).map((route) => [`${provider.id}/${route}`, provider, route] as const),
);

/**
 * An end, and how long it lasted, by the times of the webhooks or as its sender says; of an alert that another route tells of
 * from now on, since its severity has changed, that it has.
 */
const OVER = /^(?:✅ .*\b\d+ (?:minute|hour)s?\b|⚠️ .*\b(?:17 minutes|(?:more|less) urgent)\b)/su;

rule(
  'a starter of alerts notifies of what opens, once, and of what resolves',
  ROUTES,
  async (_, provider, route) => {
    const phone = newPhone();
    const [begins, ends] = await samplesOfPair(provider, route);
    await publish(oneRoute(provider, route, phone));
    await send(provider, begins, phone);
    await send(provider, begins, phone);
    await after(MINUTE);
    expect(await arrived(phone, 1)).toMatch(/^(?:🔥|❌|⚠️) /u);
    await after(16 * MINUTE);
    await send(provider, ends, phone);
    expect(await arrived(phone, 2)).toMatch(OVER);
  },
);

it('a starter of alerts repeats once an alert that its sender never resolves, and then it is forgotten', async () => {
  const [phone, grafana] = [newPhone(), providerOf('grafana')];
  await publish(allRoutes(grafana, phone));
  await send(grafana, 'warning', phone);
  await after(MINUTE);
  await arrived(phone, 1);
  await after(4 * HOUR + MINUTE);
  await arrived(phone, 2);
  for (let hour = 0; hour < 7 * 24; hour += 4) await after(4 * HOUR);
  expect(await textsAt(phone)).toHaveLength(2);
});

/** The routes that summarize changes in trackers: each change by itself is worth little. */
const TOGETHER = 'linear jira trello asana monday notion airtable dropbox'.split(' ').flatMap((id) =>
  compiledSource(providerOf(id), 'en-GB')
    .routes.filter(({ alerting }) => alerting !== null)
    .map(({ name }) => [`${id}/${name}`, providerOf(id), name] as const),
);

rule('all samples of a tracker at once are one message with a link', TOGETHER, async (_, provider, route) => {
  const phone = newPhone();
  await publish(oneRoute(provider, route, phone));
  for (const document of starterOf(provider).samples) await postSample(document, phone);
  expect(await textsAt(phone)).toEqual([]);
  await after(5 * MINUTE);
  const text = await arrived(phone, 1);
  expect(text.length, text).toBeLessThanOrEqual(700);
  expect(text).toMatch(/\nhttps:\/\//);
  expect(text).not.toMatch(/\{\{|\[\[|undefined|\bnull\b|NaN|\n\n| {2}|\s$/);
  await after(120 * MINUTE);
  expect(await textsAt(phone)).toHaveLength(1);
});
