import { describe, expect, it } from 'vitest';
import { labelOf, whoHasText } from '../../src/render/incident-words.ts';

const inLocale = (locale: string) => ({ country: undefined, locale, timezone: 'UTC' });
const action = (id: string, silence: string | null = null) => ({ id, silence });
const LANGUAGES = ['en', 'de'];

describe('the words about who has an incident', () => {
  it('are others in each language', () => {
    const all = LANGUAGES.map((language) => [
      labelOf(action('ack'), inLocale(language)),
      labelOf(action('resolve'), inLocale(language)),
      whoHasText('Anna', ['disk'], { locale: language, isBack: false, maxLength: 100 }),
      whoHasText('Anna', ['disk'], { locale: language, isBack: true, maxLength: 100 }),
      whoHasText(null, ['disk'], { locale: language, isBack: false, maxLength: 100 }),
      labelOf(action('silence', '1h'), inLocale(language)),
      labelOf(action('silence', '07:00'), inLocale(language)),
    ]);
    expect(new Set(all.flat()).size).toBe(LANGUAGES.length * 7);
    expect(all.flat()).not.toContain(undefined);
  });

  it('name five incidents, count the others, and are cut', () => {
    const titles = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const say = (maxLength: number) => whoHasText('Anna', titles, { locale: 'en', isBack: false, maxLength });
    expect(say(1_000)).toBe('Anna has it:\n• a\n• b\n• c\n• d\n• e\nand 2 more');
    expect(say(10).length).toBeLessThanOrEqual(10);
  });

  it('say how long a silence is', () => {
    expect(labelOf(action('silence_4h', '4h'), inLocale('en'))).toBe('Silence for 4 hours');
    expect(labelOf(action('silence_4h', '1.5h'), inLocale('de'))).toBe('1 h 30 min stummschalten');
    expect(labelOf(action('silence', '07:00'), inLocale('de'))).toBe('Bis 07:00 stummschalten');
  });

  it('are none for another action', () => {
    expect(labelOf(action('approve'), inLocale('en'))).toBeUndefined();
  });
});
