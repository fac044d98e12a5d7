import { describe, expect, it } from 'vitest';
import { providers } from '../../src/provider/catalog/catalog.ts';
import { subjectOf } from '../../src/config/subjects.ts';
import { compileText } from '../../src/template/text.ts';
import { rule } from '../conformance/rule.ts';

describe('the line by which lists show events of a source', () => {
  it('is its own, else its provider’s, else none', () => {
    const [stripe, airtable] = [providers.get('stripe'), providers.get('airtable')];
    if (stripe === undefined || airtable === undefined) throw new Error('they are in the catalog');
    const own = compileText('{{ payload.own }}');
    if (!own.ok) throw new Error('it is Liquid');
    expect(subjectOf({ subject: own.value, provider: stripe })).toBe(own.value);
    expect(subjectOf({ subject: null, provider: stripe })?.source).toBe(stripe.subject);
    expect(subjectOf({ subject: null, provider: airtable })).toBeNull();
  });
});

rule(
  'the line of a provider is Liquid',
  [...providers].flatMap(([id, { subject }]) => (subject === undefined ? [] : [[id, subject] as const])),
  (_, text) => expect(compileText(text).ok).toBe(true),
);
