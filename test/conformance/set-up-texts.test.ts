/// <reference types="vite/types/importMeta.d.ts" />
import { describe, expect, it } from 'vitest';
import { rule } from './rule.ts';
import { starters } from './starters.ts';

interface Texts {
  readonly setup: string;
  readonly hint?: string;
  readonly asks?: Readonly<Record<string, string>>;
  readonly samples?: Readonly<Record<string, string>>;
}

const FILES = import.meta.glob<Texts>('../../assets/set-up/*/*.json', { eager: true, import: 'default' });

const TEXTS = Object.entries(FILES).map(([path, texts]) => {
  const [, language = '', id = ''] = /([^/]+)\/([^/]+)\.json$/.exec(path) ?? [];
  return [`${language}/${id}`, { language, id, texts, english: starters.get(id) }] as const;
});

/** The texts for which a person puts in their own, in English and in other languages. */
const PUT_IN: readonly (readonly [language: string, english: string, other: string])[] = [
  ['de', '<a long random text>', '<ein langer, zufälliger Text>'],
  ['de', '<the token>', '<Token>'],
  ['de', '<the secret>', '<Secret>'],
  ['de', '<its name>', '<Name>'],
  ['de', '<your Zabbix>', '<dein Zabbix>'],
];

const code = (text: string, language = 'en'): readonly string[] =>
  [...text.matchAll(/```[\s\S]*?```|`[^`]+`/g)]
    .map(([found]) =>
      PUT_IN.filter(([of]) => of === language).reduce(
        (all, [, english, other]) => all.replaceAll(other, english),
        found,
      ),
    )
    .toSorted();

/** The beginning of each line: its number, its dash, or its indent. */
const beginnings = (text: string): readonly string[] =>
  text
    .replaceAll(/```[\s\S]*?```/g, '')
    .split('\n')
    .map((line) => /^\s*(\d+\. |- )?/.exec(line)?.[0] ?? '');

const prose = (text: string): string =>
  text
    .replaceAll(/```[\s\S]*?```|`[^`]+`/g, '')
    // Leaves out the names on the provider's own page.
    .replaceAll(/\*+[^*\n]+\*+|„[^“]*“/g, '');

describe('what to do at a provider', () => {
  it('is there in German for each', () => {
    expect(TEXTS.map(([name]) => name).toSorted()).toEqual(
      [...starters.keys()].map((id) => `de/${id}`).toSorted(),
    );
  });

  rule('has the steps of the English text', TEXTS, (_, { texts, english }) => {
    expect(beginnings(texts.setup)).toEqual(beginnings(english?.setup ?? ''));
  });

  rule(
    'has the same code, with the same places for the address and the secret',
    TEXTS,
    (_, { language, texts, english }) => {
      expect(code(texts.setup, language)).toEqual(code(english?.setup ?? ''));
      expect(code(texts.hint ?? '', language)).toEqual(code(english?.secret?.hint ?? ''));
    },
  );

  rule(
    'says where the secret is and what it asks, where the English text does',
    TEXTS,
    (_, { texts, english }) => {
      expect(texts.hint !== undefined).toBe(english?.secret !== undefined);
      expect(Object.keys(texts.asks ?? {})).toEqual(Object.keys(english?.asks ?? {}));
    },
  );

  rule('names each sample whose name is words, each by another name', TEXTS, (_, { texts, english }) => {
    const names = (english?.samples ?? []).map(({ name }) => name);
    expect(Object.keys(texts.samples ?? {})).toEqual(names.filter((name) => name.includes(' ')));
    const german = names.map((name) => texts.samples?.[name] ?? name);
    expect(german.filter((name, at) => german.indexOf(name) !== at)).toEqual([]);
  });

  it('calls samples of one name the same in all providers', () => {
    const names = new Map<string, Set<string>>();
    for (const [, { language, texts }] of TEXTS)
      for (const [name, other] of Object.entries(texts.samples ?? {})) {
        const key = `${language} ${name}`;
        names.set(key, (names.get(key) ?? new Set()).add(other));
      }
    expect([...names].filter(([, others]) => others.size > 1)).toEqual([]);
  });

  rule('has no English sentence', TEXTS, (_, { texts }) => {
    for (const text of [
      texts.setup,
      texts.hint ?? '',
      ...Object.values(texts.asks ?? {}),
      ...Object.values(texts.samples ?? {}),
    ])
      expect(prose(text)).not.toMatch(/\b(the|and|with|open|choose|set|enter|of|which|under)\b/i);
  });
});
