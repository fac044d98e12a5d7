import { expect } from 'vitest';
import { HOUR } from '../../src/lib/time.ts';
import { providers } from '../platform/providers.ts';
import type { Provider } from '../../src/provider/provider.ts';
import { rule } from './rule.ts';
import {
  compiledSource,
  factsOf,
  retold,
  routeFacts,
  routeSample,
  SAMPLES,
  samplesOf,
  starterOf,
} from './starters.ts';

/** The interval in which a sender itself repeats a firing alert. Not in it: senders that post changes only. */
const REPEATS_ITSELF: ReadonlyMap<string, number> = new Map([
  ['alertmanager', 12 * HOUR],
  ['grafana', 4 * HOUR],
]);

/** A sample that shows what the sender's test posts; unless it is named here, its name is `test`. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([['aws-sns', 'text']]);

/** Its test may be about something real that is called so, and is told as that. */
const TOLD_AS: ReadonlyMap<string, RegExp> = new Map([['healthchecks', /^🔔 \*TEST\* i/u]]);

/** Every starter route that repeats what it reported. */
const REPEATING = [...providers.values()].flatMap((provider) =>
  compiledSource(provider, 'en-GB').routes.flatMap(({ name, alerting }) => {
    const incident = alerting?.incident;
    if (!incident || incident.repeatMs === null) return [];
    return [[`${provider.id}/${name}`, provider, incident.repeatMs, incident.expiresMs] as const];
  }),
);
const hasTest = (provider: Provider): boolean =>
  compiledSource(provider, 'en-GB').routes.some(({ name }) => name === 'test');

const PROVIDERS = [...providers.values()]
  .filter((one) => hasTest(one) || REPEATING.some(([, repeating]) => repeating === one))
  .map((one) => [one.id, one] as const);

/** Their test has no mark: it looks like any other event, or what it holds is up to each service. */
const UNMARKED: ReadonlySet<string> = new Set(['patreon', 'svix', 'zendesk']);

/** A button or a page of the sender for a test. */
const TEST_BUTTON = /\*+[^*\n]*\b(?:Test|Ping test|Simulat)\w*\b[^*\n]*\*+/;

const ALL = [...providers].filter(([, one]) => starterOf(one).routes.length > 0);

/** The samples that are no test. */
const ORDINARY = SAMPLES.filter(
  ([, { id }, { name }]) => name !== 'test' && name !== OTHER_NAMES.get(id) && !name.startsWith('test '),
);

/** What somebody may be called, or write, who tests nothing. */
const NAMED_SO = 'Test Testing test_1 [Test] Lorem ipsum Ping PING (created by Stripe CLI)';

/** A payload with that in place of everything that people write: what has a space, and names. */
const named = (payload: unknown): unknown =>
  retold(payload, (text, name) =>
    !text.includes('://') && (text.includes(' ') || /name|title|subject|text|message|description/i.test(name))
      ? NAMED_SO
      : text,
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
  'a starter that repeats what it reported, or knows its sender’s test, makes one message of that test that says so, at any hour, and no incident',
  PROVIDERS,
  async (id, one) => {
    for (const [locale, words] of WORDS) {
      const results = await testOf(one, locale);
      expect(results.flatMap(({ failures, items = [] }) => [...failures, ...items])).toEqual([]);
      const messages = results.flatMap((result) => result.messages);
      expect(messages).toHaveLength(1);
      // Without the sender's placeholders.
      if (!OTHER_NAMES.has(id)) expect(messages[0]?.params['message']).toMatch(TOLD_AS.get(id) ?? words);
    }
    const { routes } = compiledSource(one, 'en-GB');
    if (!OTHER_NAMES.has(id))
      expect(routes.find(({ name }) => name === 'test')?.delivery.priority).toBe('high');
  },
);

rule(
  'a setup that names the test of its sender belongs to a starter that knows that test',
  ALL,
  (id, one) => {
    const isNamed = TEST_BUTTON.test(starterOf(one).setup) && !UNMARKED.has(id);
    if (isNamed) expect(hasTest(one) || OTHER_NAMES.has(id)).toBe(true);
  },
);

rule('an event is no test because of what people are called or write', ORDINARY, async (_, one, sample) => {
  const facts = await factsOf(one, sample);
  for (const payload of [facts.payload, named(facts.payload)]) {
    const results = routeFacts(one, { ...facts, payload }, 'en-GB');
    expect(results.flatMap(({ route, messages }) => (route === 'test' ? messages : []))).toEqual([]);
  }
});
