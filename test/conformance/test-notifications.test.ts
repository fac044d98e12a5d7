import { expect } from 'vitest';
import { HOUR } from '../../src/lib/duration.ts';
import { providers } from '../../src/provider/catalog/catalog.ts';
import type { Provider } from '../../src/provider/provider.ts';
import { rule } from './rule.ts';
import { compiledSource, routeSample, samplesOf } from './starters.ts';

/** The interval in which a sender itself repeats a firing alert. Not in it: senders that post changes only. */
const REPEATS_ITSELF: ReadonlyMap<string, number> = new Map([
  ['alertmanager', 4 * HOUR],
  ['grafana', 4 * HOUR],
]);

/** A sample that shows what the sender's test posts; unless it is named here, its name is `test`. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([['aws-sns', 'text']]);

/** Every starter route that repeats what it reported. */
const REPEATING = [...providers.values()].flatMap((provider) =>
  compiledSource(provider, 'en-GB').routes.flatMap(({ name, alerting }) => {
    const incident = alerting?.incident;
    if (!incident || incident.repeatMs === null) return [];
    return [[`${provider.id}/${name}`, provider, incident.repeatMs, incident.expiresMs] as const];
  }),
);
const PROVIDERS = [...new Set(REPEATING.map(([, provider]) => provider))].map(
  (one) => [one.id, one] as const,
);

const WORDS = [
  ['en-GB', /^🔔 Test message from [^{}]+: .*Nothing is wrong\.$/u],
  ['de-DE', /^🔔 Testnachricht von [^{}]+: .*Es ist nichts passiert\.$/u],
] as const;

async function testOf(provider: Provider, locale: string) {
  const name = OTHER_NAMES.get(provider.id) ?? 'test';
  const sample = samplesOf(provider).find((one) => one.name === name);
  if (sample === undefined) throw new Error(`no sample ${name}`);
  return routeSample(provider, sample, locale);
}

rule(
  'a starter that repeats what it reported says when the incident expires',
  REPEATING,
  (_, { id }, repeat, expires) => {
    const own = REPEATS_ITSELF.get(id);
    if (own !== undefined) {
      // Soon after the sender would have repeated it.
      expect(expires).toBeGreaterThan(own);
      expect(expires).toBeLessThanOrEqual(1.25 * own);
    }
    // An incident that nobody can resolve is repeated for some days only.
    expect(expires / repeat).toBeLessThanOrEqual(7);
  },
);

rule(
  'a starter that repeats what it reported makes one message of the sender’s test that says so, at any hour, and no incident',
  PROVIDERS,
  async (id, one) => {
    for (const [locale, words] of WORDS) {
      const results = await testOf(one, locale);
      expect(results.flatMap(({ failures, items = [] }) => [...failures, ...items])).toEqual([]);
      const messages = results.flatMap((result) => result.messages);
      expect(messages).toHaveLength(1);
      // Without the sender's placeholders.
      if (!OTHER_NAMES.has(id)) expect(messages[0]?.params['message']).toMatch(words);
    }
    const { routes } = compiledSource(one, 'en-GB');
    if (!OTHER_NAMES.has(id))
      expect(routes.find(({ name }) => name === 'test')?.delivery.priority).toBe('high');
  },
);
