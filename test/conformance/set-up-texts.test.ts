/// <reference types="vite/types/importMeta.d.ts" />
import { expect } from 'vitest';
import { rule } from './rule.ts';
import { starters } from './starters.ts';

const TEXTS = [...starters].flatMap(([id, starter]) => {
  const { setup, ...texts } = starter.languages?.['de'] ?? {};
  return setup === undefined ? [] : [[id, { setup, ...texts }, starter] as const];
});

/** The texts for which a person puts in their own, in English and in German. */
const PUT_IN = [
  ['<a long random text>', '<ein langer, zufälliger Text>'],
  ['<the token>', '<Token>'],
  ['<the secret>', '<Secret>'],
  ['<its name>', '<Name>'],
  ['<your Zabbix>', '<dein Zabbix>'],
] as const;

const CODE = /```[\s\S]*?```|`[^`]+`/g;

const code = (text = ''): readonly string[] =>
  [...text.matchAll(CODE)]
    .map(([found]) => PUT_IN.reduce((all, [english, german]) => all.replaceAll(german, english), found))
    .toSorted();

/** The beginning of each line: its number, its dash, or its indent. */
const beginnings = (text = ''): readonly string[] =>
  text
    .replaceAll(/```[\s\S]*?```/g, '')
    .split('\n')
    .map((line) => /^\s*(\d+\. |- )?/.exec(line)?.[0] ?? '');

/** Leaves out the names on the provider's own page. */
const prose = (text = ''): string => text.replaceAll(CODE, '').replaceAll(/\*+[^*\n]+\*+|„[^“]*“/g, '');

rule(
  'what to do at a provider has the steps of the English text, with the same code, secret and questions',
  TEXTS,
  (_, german, english) => {
    expect(beginnings(german.setup)).toEqual(beginnings(english?.setup));
    expect(code(german.setup)).toEqual(code(english?.setup));
    expect(code(german.hint)).toEqual(code(english?.secret?.hint));
    expect(german.hint !== undefined).toBe(english?.secret !== undefined);
    expect(Object.keys(german.asks ?? {})).toEqual(Object.keys(english?.asks ?? {}));
  },
);

rule(
  'what to do at a provider has no English sentence',
  TEXTS,
  (_, { setup, hint, asks = {}, samples = {} }, _english) => {
    for (const text of [setup, hint, ...Object.values(asks), ...Object.values(samples)])
      expect(prose(text)).not.toMatch(/\b(the|and|with|open|choose|set|enter|of|which|under)\b/i);
  },
);

/** The types of events that routes wait for, but for presses and the sender's test. */
const TYPES =
  /event\.type == \\?"([^"\\]+)|where: \\?"(?:\w+\.)*(?:eventType|eventCode|subscriptionType|resource_subtype|event)\\?", \\?"([^"\\]+)/g;

rule(
  'what to do at a provider names every event that a route waits for, if it names them by their ids',
  [...starters].map(([id, starter]) => [id, starter] as const),
  (_, { setup, routes }) => {
    const whens = routes.filter(({ name }) => name !== 'test').map(({ when, each }) => [when, each]);
    const types = [...JSON.stringify(whens).matchAll(TYPES)].map(([, type, listed]) => type ?? listed ?? '');
    const waited = [...new Set(types)].filter((type) => !type.startsWith('action.'));
    // As code, or in bold if it can be no name on a page; an event may have a kind of its own after its type.
    const isNamed = (type: string): boolean =>
      ['`', '"', ...(/[._:]/.test(type) ? ['*'] : [])].some(
        (mark) => setup.includes(mark + type + mark) || setup.includes(`${mark}${type}.`),
      );
    if (waited.some(isNamed)) expect(waited.filter((type) => !isNamed(type))).toEqual([]);
  },
);
