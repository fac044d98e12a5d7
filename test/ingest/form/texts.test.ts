import { beforeEach, expect, it, vi } from 'vitest';
import german from '../../../assets/forms/de.json';
import { pageHeaders, pageHtml } from '../../../src/ingest/form/page.ts';
import { ENGLISH, faultText } from '../../../src/ingest/form/texts.ts';

/** The texts are read once in an isolate. */
beforeEach(() => {
  vi.resetModules();
});
const formTextsAnew = async () => (await import('../../../src/ingest/webhook.ts')).formTexts;

const deployment = (fetch: () => Promise<Response>): Pick<Env, 'ASSETS'> =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing else of it is used
  ({ ASSETS: { fetch } }) as unknown as Env;
const there = deployment(() => Promise.resolve(Response.json(german)));
const missing = deployment(() => Promise.resolve(new Response(null, { status: 404 })));

/** The keys of an object and of those in it. */
const keysOf = (value: object): readonly string[] =>
  Object.entries(value).flatMap(([key, inner]: [string, unknown]) =>
    typeof inner === 'object' && inner !== null ? [key, ...keysOf(inner)] : [key],
  );

it('the texts of a form are in the language of its source, and all there in each', async () => {
  for (const [locale, language] of [
    ['de-DE', 'de'],
    ['de', 'de'],
    ['en-GB', 'en'],
    ['fr-FR', 'en'],
    ['den', 'en'],
  ] as const) {
    const formTexts = await formTextsAnew();
    expect([locale, (await formTexts(there, locale)).language]).toEqual([locale, language]);
  }
  expect(keysOf(german)).toEqual(keysOf(ENGLISH));
});

it('the texts of a form are English where the German ones cannot be read, and German once they can', async () => {
  const formTexts = await formTextsAnew();
  expect((await formTexts(missing, 'de')).language).toBe('en');
  expect((await formTexts(there, 'de')).language).toBe('de');
});

it('the texts of a form name a field as its source does, or by a common word, or by its name', () => {
  const field = { name: 'email', kind: 'email', label: null, max: 80, required: false } as const;
  const said = (over: object, code: 'email' | 'required') =>
    faultText(ENGLISH, { field: { ...field, ...over }, code });
  expect(said({ label: 'Your mail' }, 'email')).toMatch(/^Your mail must be/);
  expect(said({}, 'email')).toMatch(/^E-mail address must be/);
  for (const name of ['dog', 'constructor']) expect(said({ name }, 'required')).toBe(`${name} is required.`);
});

it('a page of ours shows every text as text, in its language, runs and loads nothing, and is kept by nobody', () => {
  const hostile = `"><script>\u202ealert('1')</script>&`;
  const link = { url: hostile, text: hostile };
  const html = pageHtml({ language: 'de' }, { title: hostile, lines: [hostile], list: [hostile], link });
  expect(html).not.toContain('<script');
  expect(html).toContain('&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;');
  expect(html).toContain('<html lang="de">');
  const headers = pageHeaders(['https://shop.example']);
  expect(headers['content-security-policy']).toContain("default-src 'none'");
  expect(headers['content-security-policy']).toContain('frame-ancestors https://shop.example');
  expect(headers['cache-control']).toBe('no-store');
});
