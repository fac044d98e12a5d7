import { beforeEach, describe, expect, it, vi } from 'vitest';
import german from '../../../assets/press/de.json';
import english from '../../../assets/press/en.json';
import { filled } from '../../../src/ingest/press/texts.ts';

/** The texts are read once in an isolate. */
beforeEach(() => {
  vi.resetModules();
});
const pressTextsAnew = async () => (await import('../../../src/ingest/press/texts.ts')).pressTexts;

const FILES = new Map(Object.entries({ '/press/en.json': english, '/press/de.json': german }));
const fetchAsset = async (address: string): Promise<Response> =>
  Response.json(FILES.get(new URL(address).pathname));

const deployment = (fetch: (address: string) => Promise<Response>): Pick<Env, 'ASSETS'> =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing else of it is used
  ({ ASSETS: { fetch } }) as unknown as Env;

/** The words that a text asks for. */
const wordsOf = (text: string): readonly string[] => (text.match(/\{\w+\}/g) ?? []).toSorted();

describe('the texts of a link’s page', () => {
  it('are all there in each language, differ, and ask for the same words', () => {
    expect(Object.keys(german)).toEqual(Object.keys(english));
    const others = new Map(Object.entries(german));
    for (const [name, text] of Object.entries(english)) {
      expect([name, others.get(name)]).not.toEqual([name, text]);
      expect(wordsOf(others.get(name) ?? '').filter((word) => !wordsOf(text).includes(word))).toEqual([]);
    }
  });

  it.each([
    ['de-DE', 'de'],
    ['de', 'de'],
    ['de-CH,de;q=0.9,en;q=0.8', 'de'],
    ['en-GB', 'en'],
    ['den', 'en'],
    ['', 'en'],
  ])('are those of the locale: %j', async (locale, language) => {
    const pressTexts = await pressTextsAnew();
    expect((await pressTexts(deployment(fetchAsset), locale)).language).toBe(language);
  });

  it('have their words put in, whatever these look like', () => {
    expect(filled('{who} pressed “{label}”.', { who: '$& {label}', label: '{who}' })).toBe(
      '$& {label} pressed “{who}”.',
    );
  });

  it('that cannot be read are an error, and read again with the next request', async () => {
    const pressTexts = await pressTextsAnew();
    const missing = deployment(async () => new Response('not found', { status: 404 }));
    await expect(pressTexts(missing, 'de')).rejects.toThrow('asset /press/de.json: status 404');
    expect((await pressTexts(deployment(fetchAsset), 'de')).language).toBe('de');
    expect((await pressTexts(missing, 'de')).language).toBe('de');
  });
});
