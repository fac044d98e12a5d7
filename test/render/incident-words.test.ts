import { describe, expect, it } from 'vitest';
import { labelOf, whoHasText } from '../../src/render/incident-words.ts';

const inLocale = (locale: string) => ({ country: undefined, locale, timezone: 'UTC' });
const LANGUAGES = ['en', 'de'];

describe('the words about who has an incident', () => {
  it('are others in each language', () => {
    const all = LANGUAGES.map((language) => [
      labelOf('ack', inLocale(language)),
      labelOf('resolve', inLocale(language)),
      whoHasText('Anna', ['disk'], { locale: inLocale(language), isBack: false, maxLength: 100 }),
      whoHasText('Anna', ['disk'], { locale: inLocale(language), isBack: true, maxLength: 100 }),
      whoHasText(null, ['disk'], { locale: inLocale(language), isBack: false, maxLength: 100 }),
    ]);
    expect(new Set(all.flat()).size).toBe(LANGUAGES.length * 5);
    expect(all.flat()).not.toContain(undefined);
  });

  it('name five incidents, count the others, and are cut', () => {
    const titles = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const say = (maxLength: number) =>
      whoHasText('Anna', titles, { locale: inLocale('en'), isBack: false, maxLength });
    expect(say(1_000)).toBe('Anna has it:\n• a\n• b\n• c\n• d\n• e\nand 2 more');
    expect(say(10).length).toBeLessThanOrEqual(10);
  });

  it('are none for another action', () => {
    expect(labelOf('approve', inLocale('en'))).toBeUndefined();
  });
});
