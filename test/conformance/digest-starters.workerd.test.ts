import { describe, expect, it } from 'vitest';
import { compiledSource, starterOf } from './starters.ts';
import { providers } from '../../src/provider/catalog/catalog.ts';
import type { Provider } from '../../src/provider/provider.ts';
import { eventually } from '../eventually.ts';
import { publish, reached } from '../integration/relay.ts';
import { after, MINUTE, oneRoute, phoneOf, postSample, textsAt } from '../integration/alert-stage.ts';

void reached;

/** Trackers: each change by itself is worth little. */
const TRACKERS = new Set(['linear', 'jira', 'trello', 'asana', 'monday', 'notion', 'airtable', 'dropbox']);

/** Their routes that summarize changes, with a receiver of its own for each. */
const TOGETHER = [...providers.values()]
  .filter(({ id }) => TRACKERS.has(id))
  .flatMap((provider) =>
    compiledSource(provider, 'en-GB')
      .routes.filter(({ alerting }) => alerting !== null)
      .map(({ name }) => ({ provider, route: name })),
  )
  .map(({ provider, route }, at) => [`${provider.id}/${route}`, provider, route, phoneOf(at)] as const);

async function sendAll(provider: Provider, phone: string): Promise<void> {
  for (const document of starterOf(provider).samples) await postSample(document, phone);
}

describe('a starter of a tracker, from webhook to phone', () => {
  it.each(TOGETHER)(
    '%s: all its samples at once are one message with a link',
    async (_, provider, route, phone) => {
      await publish(oneRoute(provider, route, phone));
      await sendAll(provider, phone);
      expect(await textsAt(phone)).toEqual([]);
      await after(5 * MINUTE);
      await eventually(async () => expect(await textsAt(phone)).toHaveLength(1));
      const [text = ''] = await textsAt(phone);
      expect(text.length, text).toBeLessThanOrEqual(700);
      expect(text).toMatch(/\nhttps:\/\//);
      expect(text).not.toMatch(/\{\{|\[\[|undefined|\bnull\b|NaN|\n\n| {2}|\s$/);
      await after(120 * MINUTE);
      expect(await textsAt(phone)).toHaveLength(1);
    },
  );
});
