import german from '../../../assets/actions/de.json';
import english from '../../../assets/actions/en.json';
import { beforeEach, expect, it, vi } from 'vitest';
import { filled, silenceEnd } from '../../../src/ingest/press.ts';

/** The texts are read once in an isolate. */
beforeEach(() => {
  vi.resetModules();
});
const pressTextsAnew = async () => (await import('../../../src/ingest/press.ts')).pressTexts;

const FILES = new Map(Object.entries({ '/actions/en.json': english, '/actions/de.json': german }));
const deployment = (fetch: (address: string) => Promise<Response>): Pick<Env, 'ASSETS'> =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing else of it is used
  ({ ASSETS: { fetch } }) as unknown as Env;
const there = deployment(async (address) => Response.json(FILES.get(new URL(address).pathname)));
const missing = deployment(async () => new Response('not found', { status: 404 }));

const wordsOf = (text = ''): readonly string[] => text.match(/\{\w+\}/g) ?? [];

it('the texts of a link’s page are all there in each language, differ, and ask for the same words', () => {
  expect(Object.keys(german)).toEqual(Object.keys(english));
  const others = new Map(Object.entries(german));
  for (const [name, text] of Object.entries(english)) {
    expect([name, others.get(name)]).not.toEqual([name, text]);
    expect(wordsOf(others.get(name)).filter((word) => !wordsOf(text).includes(word))).toEqual([]);
  }
});

it('the texts of a link’s page are those of the locale, and have their words put in, whatever these look like', async () => {
  for (const [locale, language] of [
    ['de-DE', 'de'],
    ['de', 'de'],
    ['de-CH,de;q=0.9,en;q=0.8', 'de'],
    ['en-GB', 'en'],
    ['den', 'en'],
    ['', 'en'],
  ] as const) {
    const pressTexts = await pressTextsAnew();
    expect([locale, (await pressTexts(there, locale)).language]).toEqual([locale, language]);
  }
  const words = { who: '$& {label}', label: '{who}' };
  expect(filled('{who} pressed “{label}”.', words)).toBe('$& {label} pressed “{who}”.');
});

it('the texts of a link’s page that cannot be read are an error, and read again with the next request', async () => {
  const pressTexts = await pressTextsAnew();
  await expect(pressTexts(missing, 'de')).rejects.toThrow('asset /actions/de.json: status 404');
  for (const one of [there, missing]) expect((await pressTexts(one, 'de')).language).toBe('de');
});

const end = (length: string, now: string, zone = 'Europe/Berlin') =>
  new Date(silenceEnd(length, zone, Date.parse(`2030-${now}:00Z`))).toISOString().slice(5, 16);

it('the end of a silence is when the clock of its source shows the time, also in a night in which it changes', () => {
  for (const [length, now, expected] of [
    ['1h', '01-15T22:00', '01-15T23:00'],
    ['07:00', '01-15T22:00', '01-16T06:00'],
    ['07:00', '01-15T05:59', '01-15T06:00'],
    ['07:00', '01-15T06:00', '01-16T06:00'],
    ['00:00', '01-15T12:00', '01-15T23:00'],
    ['23:30', '01-15T22:45', '01-16T22:30'],
    ['07:00', '03-30T22:00', '03-31T05:00'],
    ['07:00', '10-26T22:00', '10-27T06:00'],
    // The clock skips 02:30.
    ['02:30', '03-30T22:00', '03-31T01:00'],
  ] as const)
    expect([length, now, end(length, now)]).toEqual([length, now, expected]);
  expect(end('07:00', '01-15T22:00', 'Asia/Tokyo')).toBe('01-16T22:00');
});
