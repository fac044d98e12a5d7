import { beforeEach, describe, expect, it, vi } from 'vitest';
import german from '../../../assets/forms/de.json';
import { ENGLISH, faultText } from '../../../src/ingest/form/texts.ts';

/** The texts are read once in an isolate. */
beforeEach(() => {
  vi.resetModules();
});
const formTextsAnew = async () => (await import('../../../src/ingest/form/answer.ts')).formTexts;

const deployment = (fetch: (address: string) => Promise<Response>): Pick<Env, 'ASSETS'> =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing else of it is used
  ({ ASSETS: { fetch } }) as unknown as Env;

const fetchAsset = (): Promise<Response> => Promise.resolve(Response.json(german));

const missing = (): Promise<Response> => Promise.resolve(new Response(null, { status: 404 }));

/** The keys of an object and of those in it. */
const keysOf = (value: object): readonly string[] =>
  Object.entries(value).flatMap(([key, inner]: [string, unknown]) =>
    typeof inner === 'object' && inner !== null ? [key, ...keysOf(inner)] : [key],
  );

const field = { name: 'email', kind: 'email', label: null, max: 80, required: false } as const;

describe('the texts of a form', () => {
  it.each([
    ['de-DE', 'de'],
    ['de', 'de'],
    ['en-GB', 'en'],
    ['fr-FR', 'en'],
    ['den', 'en'],
  ])('of %s are in %s', async (locale, language) => {
    const formTexts = await formTextsAnew();
    expect((await formTexts(deployment(fetchAsset), locale)).language).toBe(language);
  });

  it('are all there in each language', () => {
    expect(keysOf(german)).toEqual(keysOf(ENGLISH));
  });

  it('are English where the German ones cannot be read, and German once they can', async () => {
    const formTexts = await formTextsAnew();
    expect((await formTexts(deployment(missing), 'de')).language).toBe('en');
    expect((await formTexts(deployment(fetchAsset), 'de')).language).toBe('de');
  });

  it('name a field as its source does, or by a common word, or by its name', () => {
    expect(faultText(ENGLISH, { field: { ...field, label: 'Your mail' }, code: 'email' })).toMatch(
      /^Your mail must be/,
    );
    expect(faultText(ENGLISH, { field, code: 'email' })).toMatch(/^E-mail address must be/);
    expect(faultText(ENGLISH, { field: { ...field, name: 'dog' }, code: 'required' })).toBe(
      'dog is required.',
    );
    expect(faultText(ENGLISH, { field: { ...field, name: 'constructor' }, code: 'required' })).toBe(
      'constructor is required.',
    );
  });
});
