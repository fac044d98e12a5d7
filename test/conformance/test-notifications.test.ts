import { describe, expect } from 'vitest';
import { parseDuration } from '../../src/lib/duration.ts';
import { providers } from '../../src/provider/catalog/catalog.ts';
import type { Provider } from '../../src/provider/provider.ts';
import { compiledSource, routeSample, samplesOf, starters } from './starters.ts';
import { rule } from './rule.ts';

const HOUR = 60 * 60_000;
const LOCALES = ['en-GB', 'de-DE'];

/** The interval in which a sender itself repeats a firing alert. Not in it: senders that post changes only. */
const REPEATS_ITSELF: ReadonlyMap<string, number> = new Map([
  ['alertmanager', 4 * HOUR],
  ['grafana', 4 * HOUR],
]);

/** A sample that shows what the sender's test posts; unless it is named here, its name is `test`. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([['aws-sns', 'text']]);

const ms = (text: string): number => {
  const parsed = parseDuration(text);
  if (!parsed.ok) throw new Error(parsed.error);
  return parsed.value;
};

interface Reminding {
  readonly repeat?: string;
  readonly expires?: string;
}

/** Every starter route that repeats what it reported. */
const REPEATING = [...providers.values()].flatMap((provider) =>
  (starters.get(provider.id)?.routes ?? []).flatMap((route) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- starters.test.ts checks the form
    const incident = route['incident'] as Reminding | undefined;
    if (incident?.repeat === undefined) return [];
    return [[`${provider.id}/${String(route['name'])}`, provider, incident] as const];
  }),
);

const PROVIDERS = [...new Set(REPEATING.map(([, provider]) => provider))].map(
  (provider) => [provider.id, provider] as const,
);

function testOf(provider: Provider) {
  const name = OTHER_NAMES.get(provider.id) ?? 'test';
  const sample = samplesOf(provider).find((one) => one.name === name);
  if (sample === undefined) throw new Error(`${provider.id} has no sample ${name}`);
  return sample;
}

describe('a starter that repeats what it reported', () => {
  rule('says when the incident expires', REPEATING, (_, { id }, { repeat = '', expires = '' }) => {
    const own = REPEATS_ITSELF.get(id);
    if (own !== undefined) {
      // Soon after the sender would have repeated it.
      expect(ms(expires)).toBeGreaterThan(own);
      expect(ms(expires)).toBeLessThanOrEqual(1.25 * own);
    }
    // An incident that nobody can resolve is repeated for some days only.
    expect(ms(expires) / ms(repeat)).toBeLessThanOrEqual(7);
  });

  rule('makes one message of the sender’s test, and no incident', PROVIDERS, async (_, provider) => {
    for (const locale of LOCALES) {
      const results = await routeSample(provider, testOf(provider), locale);
      expect(results.flatMap(({ failures }) => failures)).toEqual([]);
      expect(results.flatMap(({ items = [] }) => items)).toEqual([]);
      expect(results.flatMap(({ messages }) => messages)).toHaveLength(1);
    }
  });

  rule(
    'says that the test is one, at any hour and without the sender’s placeholders',
    PROVIDERS.filter(([id]) => !OTHER_NAMES.has(id)),
    async (_, provider) => {
      const { routes } = compiledSource(provider, 'en-GB');
      expect(routes.find(({ name }) => name === 'test')?.delivery.priority).toBe('high');
      for (const [locale, words] of [
        ['en-GB', /^🔔 Test message from [^{}]+: .*Nothing is wrong\.$/u],
        ['de-DE', /^🔔 Testnachricht von [^{}]+: .*Es ist nichts passiert\.$/u],
      ] as const) {
        const [reported] = (await routeSample(provider, testOf(provider), locale)).flatMap(
          ({ messages }) => messages,
        );
        expect(reported?.params['message']).toMatch(words);
      }
    },
  );
});
