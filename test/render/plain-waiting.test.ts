import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NAMED_WAITING, plainWaiting } from '../../src/render/built-in-text.ts';

const localeOf = (locale: string) => ({ country: undefined, locale, timezone: 'Europe/Berlin' });
const SINCE = '2026-11-21T06:12:00.000Z';

const text = (over: object, locale = 'en-GB') =>
  plainWaiting({ count: 3, since: SINCE, texts: [], before: null, ...over }, localeOf(locale));

describe('the text of a digest of waiting messages', () => {
  it('says how many, since when, and the first lines of the newest ones', () => {
    const picture = { caption: 'A *picture*', image_url: 'https://a.example/' };
    const [since, how, newest, ...others] = text({ texts: [{ message: 'Order 1\nDetails' }, picture] }).split(
      '\n',
    );
    expect([since, how]).toEqual(['Since 21/11/2026, 07:12:', '3 messages:']);
    expect(newest).toContain('picture');
    expect(newest).not.toContain('*picture*');
    expect(others).toEqual(['• Order 1', 'and 1 more']);
  });

  it.each([
    ['de-DE', '3 Nachrichten:', 'und 2 weitere'],
    ['fr', '3 messages:', 'et 2 de plus'],
    ['es-MX', '3 mensajes:', 'y 2 más'],
    ['ja', '3 messages:', 'and 2 more'],
  ])('is in the words of %s', (locale, how, more) => {
    const lines = text({ texts: [{ question: 'Lunch?' }] }, locale).split('\n');
    expect([lines[1], lines[2], lines[3]]).toEqual([how, '• Lunch?', more]);
  });

  it.each([
    [{ message: 'a' }, 'a'],
    [{ url: 'https://a.example/', title: 'T' }, 'T'],
    [{ audio_url: 'https://a.example/b.ogg' }, 'https://a.example/b.ogg'],
  ])('names %j by what it says', (params, title) => {
    expect(text({ texts: [params] })).toContain(`• ${title}`);
  });

  it('keeps the newest lines of the digest that it takes the place of, whatever the messages say', () => {
    const message = fc.string({ unit: fc.constantFrom('a', '•', ' ', '\n', '*', '_', 'é') });
    fc.assert(
      fc.property(fc.array(message, { minLength: 1, maxLength: 20 }), (all) => {
        const params = all.map((one) => ({ message: one }));
        const whole = text({ count: all.length, texts: params.slice(-NAMED_WAITING) });
        let before: string | null = null;
        for (const [at, one] of params.entries()) before = text({ count: at + 1, texts: [one], before });
        expect(before).toBe(whole);
      }),
    );
  });
});
