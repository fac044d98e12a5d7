import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatMajor, formatMinor, formatNumber } from '../../../src/template/filters/money.ts';
import type { Exponents } from '../../../src/template/basics/locale.ts';
import { GERMAN, refusal, render } from '../helpers.ts';

const minor = (amount: unknown, currency: unknown, locale = 'en-US', exponents?: Exponents): string => {
  const result = formatMinor(amount, currency, locale, exponents);
  return result.ok ? result.value.replace(/\u00a0/g, ' ') : `! ${result.error}`;
};

/** Rows of `amount currency text`, amounts as JSON. */
const rowsOf = (text: string) =>
  text.split('; ').map((row) => {
    const [, amount = '', currency, expected] = /^(\S+) (\S+) (.*)$/.exec(row) ?? [];
    return [JSON.parse(amount) as unknown, currency, expected] as const;
  });

it('money in minor units is the amount in its currency, or refused', () => {
  const right =
    '1999 EUR €19.99; 1999 JPY ¥1,999; 1999 KWD KWD 1.999; 12345 CLF CLF 1.2345; 123456 HUF HUF 1,234.56; 123456 IQD IQD 123.456; "1999" EUR €19.99; -1999 EUR -€19.99; 0 EUR €0.00; "123456789012345678901234" EUR €1,234,567,890,123,456,789,012.34; "12.5" EUR €0.13';
  const wrong =
    '1 EURO unknown currency "EURO"; 1 XAU "XAU" has no minor unit; "abc" EUR "abc" is not a number; "1.999,00" EUR "1.99…" is not a number; [1] EUR "1" is not a number';
  for (const [amount, currency, text] of rowsOf(right)) expect(minor(amount, currency)).toBe(text);
  for (const [amount, currency, why] of rowsOf(wrong)) expect(minor(amount, currency)).toContain(why);
  for (const none of [undefined, null, ' ', []]) expect(minor(1, none)).toContain('the currency is missing');
  expect(minor(1, 978)).toContain('unknown currency "978": an ISO 4217 code is needed');
  expect(minor(1, 'eur ')).toBe('€0.01');
});

it('what rounds to zero has no sign', () => {
  const amounts = { a: -0.4, b: '-0.001' };
  expect(render('{{ payload.a | money: "EUR" }}', amounts)).toBe('0,00\u00a0€');
  expect(render('{{ payload.b | money_major: "EUR" }}', amounts)).toBe('0,00\u00a0€');
  expect(render('{{ payload.a | number: 0 }} {{ payload.a | number }}', amounts)).toBe('0 -0,4');
});

it('money in minor units counts as the provider of its source does, in major units as everybody', () => {
  const given = (amount: number, code: string) => minor(amount, code, 'en-US', { ISK: 2, MGA: 0 });
  for (const code of ['ISK', 'isk']) expect(given(500_000, code)).toBe('ISK 5,000');
  expect([given(500_050, 'ISK'), given(500, 'MGA')]).toEqual(['ISK 5,000.5', 'MGA 500']);
  expect([given(1999, 'EUR'), minor(500, 'ISK')]).toEqual(['€19.99', 'ISK 500']);
  const icelandic = { ...GERMAN, exponents: { ISK: 2 } };
  expect(render('{{ 500000 | money: "ISK" }}', {}, icelandic)).toBe('5.000\u00a0ISK');
  expect(render('{{ 5000 | money_major: "ISK" }}', {}, icelandic)).toBe('5.000\u00a0ISK');
  expect(render('{{ 5000 | money: "ISK" }}')).toBe('5.000\u00a0ISK');
});

it('money in minor units loses no digit: what is shown are the digits of the amount', () => {
  const exponents = { EUR: 2, JPY: 0, KWD: 3, CLF: 4 };
  const currencies = fc.constantFrom(...Object.entries(exponents));
  fc.assert(
    fc.property(fc.bigInt(-(10n ** 24n), 10n ** 24n), currencies, (amount, [currency, digits]) => {
      const shown = minor(String(amount), currency);
      expect(BigInt(shown.replace(/\D/g, ''))).toBe(amount < 0n ? -amount : amount);
      expect(shown.includes('-')).toBe(amount < 0n);
      expect(/\.(\d+)$/.exec(shown)?.[1]?.length ?? 0).toBe(digits);
    }),
  );
});

it('an amount in major units is in its currency', () => {
  for (const [amount, currency, text] of rowsOf(
    '19.99 EUR €19.99; "1234.5" usd $1,234.50; 0.30000000000000004 EUR €0.30; 1999 JPY ¥1,999',
  )) {
    expect(formatMajor(amount, currency, 'en-US')).toEqual({ ok: true, value: text });
    expect(formatMajor(amount, 'EURO', 'en-US').ok).toBe(false);
  }
});

const shown = (text: string) => {
  const result = formatMajor(text, 'EUR', 'en-US');
  return result.ok ? result.value : 'refused';
};

it('a text in major units is the amount that was written, or refused: never another one', () => {
  const amounts = { '12.5': '€12.50', '-12.50': '-€12.50', ' +012.50 ': '€12.50', '1e3': '€1,000.00' };
  expect(Object.keys(amounts).map(shown)).toEqual(Object.values(amounts));
  expect([shown('0.125'), shown('1234.567'), shown('12.3450')]).toEqual(['€0.13', '€1,234.57', '€12.35']);
  const doubtful =
    "1,234.50|12,50|€12.50|1.234,50|1'234.50|1 234.50|12.345|-1.005|١٢٫٥٠|１２|(12.50)|12.50-|−12.50|12.50 EUR|.5|12.|0x10|1_000|1.234.567|12:50";
  for (const text of doubtful.split('|')) {
    expect([text, shown(text)]).toEqual([text, 'refused']);
    const calculated = render('{{ payload.text | times: 1 | money_major: "EUR" }}', { text });
    expect(calculated).toMatch(/^(?:! |12,3\d|-1,01|0,50|12,00|16,00)/);
  }
  expect(formatMajor('12.345', 'KWD', 'en-US')).toEqual({ ok: true, value: 'KWD\u00a012.345' });
});

const plainNumber = (value: unknown, digits?: unknown): string => {
  const result = formatNumber(value, digits, 'de-DE');
  return result.ok ? result.value : `! ${result.error}`;
};

it('a number has the digits that are asked for, or is refused', () => {
  expect([plainNumber(1234567.891), plainNumber(0.12345)]).toEqual(['1.234.567,891', '0,123']);
  expect([plainNumber(5, 2), plainNumber('1234.5', 0)]).toEqual(['5,00', '1.235']);
  expect(plainNumber('12345678901234567890')).toBe('12.345.678.901.234.567.890');
  expect(plainNumber('x')).toContain('"x" is not a number');
  for (const digits of ['two', 21, 1.5])
    expect(plainNumber(1, digits)).toContain('fraction digits must be a whole');
});

it('a filter that formats takes a locale last, or by name; one that is unknown is the event’s, or refused where written', () => {
  const own = { ...GERMAN, locale: 'en-US' };
  const texts = (locale: string, tag?: unknown) => {
    const all = `{{ 123456 | money: "EUR", L }}; {{ 1.5 | money_major: "EUR", L }}; {{ 1.5 | number: 2, L }}; {{ 0 | datetime: "date", "local", L }}`;
    return render(all.replaceAll('L', locale), { tag }, own).replaceAll('\u00a0', ' ');
  };
  const german = '1.234,56 €; 1,50 €; 1,50; 01.01.1970';
  const both = (tag: unknown) => [texts('payload.tag', tag), texts('locale: payload.tag', tag)];
  for (const tag of ['de', 'de-DE', ' DE_de.UTF-8', 'auto, de;q=0.9, en', 'de-DE-u-nu-arab'])
    expect(both(tag)).toEqual([german, german]);
  for (const tag of ['auto', '', null, ['de'], 'no way', 'und', 'C', `${'x'.repeat(10_000)},de`])
    expect(new Set(both(tag))).toEqual(new Set(['€1,234.56; €1.50; 1.50; Jan 1, 1970']));
  expect(texts('"de_DE"')).toBe(german);
  expect(render('{{ 0 | datetime: "short", "de" }} {{ 1.5 | number: "de" }}', {}, own)).toBe(
    '01.01.70, 01:00 1,5',
  );
  for (const wrong of [
    'money: "de-DE", "EUR"',
    'number: 2, locale: "auto"',
    'datetime: "short", "local", "German"',
  ])
    expect(refusal(`{{ 1 | ${wrong} }}`)).toMatch(/^column 8: unknown locale "\w+": a language tag such as/);
});
