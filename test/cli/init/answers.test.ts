import { expect, it } from 'vitest';
import { askAnswers } from '../../../cli/init/answers.ts';
import { readCountry } from '../../../cli/init/receivers.ts';
import { readQuiet } from '../../../cli/init/ask.ts';
import { findProvider, readStarter, type ProviderStarter } from '../../../cli/init/starters.ts';
import { ok } from '../../../src/lib/result.ts';
import { person, valueOrWhy } from './new-source.ts';

const ASKS = { subdomain: { question: 'The subdomain', example: 'acme', pattern: '^[a-z]+$' } };
const found = findProvider('zendesk');
if (!found.ok) throw new Error('zendesk is missing');
const ZENDESK = found.value.provider;
const ASKING: ProviderStarter = { provider: ZENDESK, starter: { ...readStarter('zendesk'), asks: ASKS } };

/** The answers, or why there are none. `typed`: by a person. */
async function answered(given: readonly string[], typed: string | null, asking = ASKING) {
  const ask = typed === null ? null : person({ text: async () => ok(typed) });
  return valueOrWhy(await askAnswers(given, ask, asking));
}

it('what a starter asks is answered by an option or by a person, or stays open', async () => {
  expect(await answered(['subdomain= shop '], 'other')).toEqual({ subdomain: 'shop' });
  expect(await answered([], 'shop')).toEqual({ subdomain: 'shop' });
  expect(await answered([], '-')).toEqual({ subdomain: '' });
  expect(await answered([], null)).toEqual({ subdomain: '' });
  const stripe = { starter: readStarter('stripe'), provider: { ...ZENDESK, id: 'stripe' } };
  expect(await answered([], 'x', stripe)).toEqual({});
  expect(await answered(['subdomain=x'], null, stripe)).toBe(
    '--answer: the starter of stripe has no questions',
  );
});

it('what a starter asks cannot stay open where the source itself needs it', async () => {
  const source = { verify: { account: '[[ask:subdomain]]' } };
  const needing = { ...ASKING, starter: { ...ASKING.starter, source } };
  const needed = '--answer subdomain=… is needed, such as subdomain=acme: The subdomain';
  expect(await answered([], null, needing)).toBe(needed);
  expect(typeof (await answered([], '-', needing))).toBe('string');
  expect(await answered(['subdomain=shop'], null, needing)).toEqual({ subdomain: 'shop' });
});

it('an answer that is none is refused, and the refusal says why', async () => {
  for (const [given, why] of [
    ['shop', '--answer: `shop` must be name=value, such as subdomain=acme'],
    ['subdomian=shop', '--answer: there is no question `subdomian`; did you mean `subdomain`?'],
    ['subdomain=a.b/c', '`a.b/c` does not look like acme'],
  ] as const)
    expect(await answered([given], null)).toBe(why);
});

it('a country is read as it is typed: by its code or its name in any language of the person', () => {
  const rows = {
    DE: ['de', ' DE ', 'Germany', 'deutschland'],
    AT: ['Österreich'],
    GB: ['united kingdom', 'UK'],
    US: ['united states'],
    CI: ['Cote d’Ivoire'],
    JP: ['日本'],
    '': [''],
  };
  for (const [value, texts] of Object.entries(rows))
    for (const text of texts) expect([text, readCountry(text)]).toEqual([text, { ok: true, value }]);
  expect(readCountry('Allemagne').ok).toBe(false);
  expect(readCountry('Allemagne', ['fr'])).toEqual({ ok: true, value: 'DE' });
  for (const text of ['XX', '12', 'Nowhere', '+49'])
    expect(readCountry(text, ['de'])).toMatchObject({
      error: expect.stringContaining('DE or Germany') as unknown,
    });
});

const wrong = (why: string) => ({ ok: false, error: expect.stringContaining(why) as unknown });

const hours = (from: string, to: string) => ({ ok: true, value: { from, to } });

it('quiet hours are read as people write them', () => {
  for (const [text, expected] of [
    ['22:00-07:00', hours('22:00', '07:00')],
    [' 7:30 – 9:00 ', hours('07:30', '09:00')],
    ['22:00 to 24:00', hours('22:00', '24:00')],
    ['', { ok: true, value: null }],
    ['  ', { ok: true, value: null }],
    ['at night', wrong('must be quiet hours such as 22:00-07:00')],
    ['22-7', wrong('must be quiet hours such as 22:00-07:00')],
    ['25:00-07:00', wrong('`from` must be a time from "00:00" to "23:59"')],
    ['22:00-22:00', wrong('`to` must differ from `from`')],
  ] as const)
    expect([text, readQuiet(text)]).toEqual([text, expected]);
});
