import { expect } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { providers } from '../platform/providers.ts';
import type { Exponents } from '../../src/template/basics/locale.ts';
import { formatMinor } from '../../src/template/filters/money.ts';
import tables from './exponents.yaml?raw';
import { rule } from './rule.ts';
import { factsOf, retold, routeFacts, SAMPLES } from './starters.ts';

const tableSchema = z.object({
  providers: z.array(z.string()),
  decimals: z.array(z.tuple([z.number(), z.string()])),
});

const LINES = z
  .array(tableSchema)
  .parse(parse(tables))
  .flatMap(({ providers: ids, decimals }) =>
    ids.flatMap((id) =>
      decimals.flatMap(([digits, codes]) =>
        codes.split(/\s+/).map((code) => [`${id} in ${code}`, id, code, digits] as const),
      ),
    ),
  );

const STATED = [...providers.values()].flatMap(({ id, exponents = {} }) =>
  Object.entries(exponents).map(([code, digits]) => [`${id} in ${code}`, id, code, digits] as const),
);

/** The amount that is shown for 7 in the major unit, when it comes with N decimals. */
function seven(code: string, digits: number, exponents?: Exponents): number {
  const shown = formatMinor(7 * 10 ** digits, code, 'en-US', exponents);
  if (!shown.ok) throw new Error(shown.error);
  // Some symbols end in a point.
  return Number(/\d[\d.]*/.exec(shown.value)?.[0]);
}

rule(
  'a provider’s amounts are counted with the decimals that its own table says',
  LINES,
  (_, id, code, digits) => {
    expect(seven(code, digits, providers.get(id)?.exponents)).toBe(7);
  },
);

rule(
  'a provider’s amounts differ from ISO 4217 where it says so, as its table does',
  STATED,
  (_, id, code, digits) => {
    expect(seven(code, digits)).not.toBe(7);
    expect(LINES).toContainEqual([`${id} in ${code}`, id, code, digits]);
  },
);

/** The amounts in a text, without their decimals. */
const wholes = (text: string): readonly string[] =>
  [...text.replaceAll(/https?:\S+/g, '').matchAll(/\d[\d,]*(?=\.\d\d\b)/g)].map(([found]) => found);

/** A payload whose currencies are another one. */
const inCurrency = (payload: unknown, code: string): unknown =>
  retold(payload, (text, name) => (/currency/i.test(name) && /^[a-z]{3}$/i.test(text) ? code : text));

rule(
  'a sample’s amounts are shown with the sender’s own decimals, whatever ISO 4217 says',
  SAMPLES.filter(([, { exponents = {} }]) => Object.values(exponents).includes(2)),
  async (_, one, sample) => {
    const code = Object.entries(one.exponents ?? {}).find(([, digits]) => digits === 2)?.[0] ?? '';
    const facts = await factsOf(one, sample);
    const shown = (payload: unknown) =>
      routeFacts(one, { ...facts, payload }, 'en-GB').flatMap(({ messages }) =>
        messages.map(({ params }) => params['message'] ?? ''),
      );
    const texts = shown(inCurrency(facts.payload, code));
    for (const [at, text] of shown(facts.payload).entries())
      for (const whole of wholes(text))
        expect(texts[at]).toMatch(new RegExp(`(?<![\\d,.])${whole}(?![\\d,])`));
  },
);
