import { env } from 'cloudflare:workers';
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { describe, expect, it, vi } from 'vitest';
import { compiledSource, starterOf, starterSet } from '../conformance/starters.ts';
import { providers } from '../../src/provider/catalog/catalog.ts';
import type { Provider } from '../../src/provider/provider.ts';
import { sampleOf } from '../../src/config/starter.ts';
import { eventually } from '../eventually.ts';
import { callsTo, post, publish, reached } from './relay.ts';

void reached;

/** Trackers: each change by itself is worth little. */
const TRACKERS = new Set(['linear', 'jira', 'trello', 'asana', 'monday', 'notion', 'airtable', 'dropbox']);

/** Their routes that tell changes together, with a receiver of its own for each. */
const TOGETHER = [...providers.values()]
  .filter(({ id }) => TRACKERS.has(id))
  .flatMap((provider) =>
    compiledSource(provider, 'en-GB')
      .routes.filter(({ telling }) => telling !== null)
      .map(({ name }) => ({ provider, route: name })),
  )
  .map(
    ({ provider, route }, at) =>
      [`${provider.id}/${route}`, provider, route, `4917139200${String(at + 10)}`] as const,
  );

const sourceOf = (phone: string): string => `news-${phone}`;

/** The starter as it is, but that anybody may post, and with this route alone. */
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

async function sendAll(provider: Provider, phone: string): Promise<void> {
  for (const document of starterOf(provider).samples) {
    const { content_type, headers, body } = sampleOf(document);
    const response = await post(sourceOf(phone), body, { 'content-type': content_type, ...headers });
    expect(response.ok, await response.text()).toBe(true);
  }
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

describe('a starter of a tracker, from webhook to phone', () => {
  it.each(TOGETHER)(
    '%s: all its samples at once are one message with a link',
    async (_, provider, route, phone) => {
      await publish(setOf(provider, route, phone));
      await sendAll(provider, phone);
      expect(await texts(phone)).toEqual([]);
      await after(5 * MINUTE);
      await eventually(async () => expect(await texts(phone)).toHaveLength(1));
      const [text = ''] = await texts(phone);
      expect(text.length, text).toBeLessThanOrEqual(700);
      expect(text).toMatch(/\nhttps:\/\//);
      expect(text).not.toMatch(/\{\{|\[\[|undefined|\bnull\b|NaN|\n\n| {2}|\s$/);
      await after(120 * MINUTE);
      expect(await texts(phone)).toHaveLength(1);
    },
  );
});
