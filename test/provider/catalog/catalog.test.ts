import { expect, it } from 'vitest';
import { providers } from '../../platform/providers.ts';
import type { Lookup } from '../../../src/provider/lookup.ts';
import { summaryOf } from '../../../src/provider/provider.ts';
import { verifySchema, type VerifyScheme } from '../../../src/signature/scheme.ts';
import { rule } from '../../conformance/rule.ts';

const ALL = [...providers].map(([id, provider]) => [id, provider] as const);

/** A checked scheme as a document would write it: the only difference is the durations. */
function written(scheme: VerifyScheme): unknown {
  if (scheme.scheme === 'any') return { ...scheme, of: scheme.of.map((one) => written(one)) };
  if ('max_age' in scheme && typeof scheme.max_age === 'number')
    return { ...scheme, max_age: `${scheme.max_age}ms`, tolerance: `${scheme.tolerance}ms` };
  if ('tolerance' in scheme) return { ...scheme, tolerance: `${scheme.tolerance}ms` };
  if (!('timestamp' in scheme) || scheme.timestamp === undefined) return scheme;
  return { ...scheme, timestamp: { ...scheme.timestamp, tolerance: `${scheme.timestamp.tolerance}ms` } };
}

const placesOf = (lookups: readonly Lookup[]): readonly string[] =>
  lookups.flat().filter((place) => typeof place === 'string');

rule(
  'the catalogue files each provider under its own id, which can stand in a document',
  ALL,
  (id, provider) => {
    expect(provider.id).toBe(id);
    expect(id).toMatch(/^[a-z][a-z0-9-]*$/);
    expect(provider.name).toMatch(/^\S.*\S$|^\S$/);
  },
);

it('the catalogue gives no two providers one name', () => {
  const names = ALL.map(([, { name }]) => name);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

rule('the catalogue gives each provider a scheme that a document could give it too', ALL, (_, { verify }) => {
  if (verify === null) return;
  expect(verifySchema.parse(written(verify))).toEqual(verify);
});

rule(
  'the catalogue lets nobody in without proof, unless it is a form on a page',
  ALL,
  (_, { verify, form }) => {
    expect(verify?.scheme === 'none').toBe(form === true);
  },
);

rule('the catalogue says where the facts of each provider stand', ALL, (_, { event_type, dedupe, items }) => {
  const places = [...placesOf(event_type), ...placesOf(dedupe)];
  for (const place of places) expect(place).toMatch(/^(body|query):[^:]+$|^header:[A-Za-z0-9-]+$/);
  for (const place of placesOf(items?.id ?? [])) expect(place).toMatch(/^body:[^:]+$/);
});

rule('the catalogue answers with a status that says it was accepted', ALL, (_, { answers = [] }) => {
  for (const { status, body } of answers) {
    expect(status).toBeGreaterThanOrEqual(200);
    expect(status).toBeLessThan(300);
    expect(status === 204 && body !== undefined).toBe(false);
  }
  const last = answers.at(-1);
  if (answers.length > 1) expect(answers.slice(0, -1).every(({ when }) => when !== undefined)).toBe(true);
  expect(last?.when === undefined || last.when.length > 0).toBe(true);
});

it('the catalogue never takes two alerts for one: they are repeated on purpose', () => {
  for (const id of ['alertmanager', 'grafana', 'mollie-legacy', 'dropbox', 'airtable', 'generic'])
    expect(providers.get(id)?.dedupe).toEqual([]);
});

it('the catalogue says that a provider signs only where a signature is checked', () => {
  const says = ['stripe', 'alertmanager', 'html-form'].map((id) => {
    const provider = providers.get(id);
    return provider && summaryOf(provider).signs;
  });
  expect(says).toEqual([true, false, false]);
});
