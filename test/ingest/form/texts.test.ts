import { describe, expect, it } from 'vitest';
import { faultText, formTexts } from '../../../src/ingest/form/texts.ts';

const field = { name: 'email', kind: 'email', label: null, max: 80, required: false } as const;

describe('the texts of a form', () => {
  it.each([
    ['de-DE', 'de'],
    ['de', 'de'],
    ['en-GB', 'en'],
    ['fr-FR', 'en'],
    ['den', 'en'],
  ])('of %s are in %s', (locale, language) => {
    expect(formTexts(locale).language).toBe(language);
  });

  it('name a field as its source does, or by a common word, or by its name', () => {
    const english = formTexts('en');
    expect(faultText(english, { field: { ...field, label: 'Your mail' }, code: 'email' })).toMatch(
      /^Your mail is/,
    );
    expect(faultText(english, { field, code: 'email' })).toMatch(/^E-mail address is/);
    expect(faultText(english, { field: { ...field, name: 'dog' }, code: 'required' })).toBe(
      'dog is required.',
    );
    expect(faultText(english, { field: { ...field, name: 'constructor' }, code: 'required' })).toBe(
      'constructor is required.',
    );
  });
});
