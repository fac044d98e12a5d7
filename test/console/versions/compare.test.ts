import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DocumentSet } from '../../../console/api/types.ts';
import { changesBetween, differences } from '../../../console/pages/versions/compare.ts';

const set = (templates: Readonly<Record<string, { kind: 'text'; text: string }>>): DocumentSet => ({
  sources: {},
  templates,
  recipients: {},
  accounts: {},
  silences: {},
});

const hello = { kind: 'text', text: 'Hello\nyou' } as const;

test('the same documents are no change', () => {
  expect(changesBetween(set({ hello }), set({ hello: { ...hello } }))).toEqual([]);
});

test('a document is new, changed or gone, by its kind and name', () => {
  const before = set({ a: hello, b: hello });
  const after = set({ b: { kind: 'text', text: 'Hello\nthem' }, c: hello });
  expect(changesBetween(before, after).map(({ name, is }) => [name, is])).toEqual([
    ['templates/a', 'removed'],
    ['templates/b', 'changed'],
    ['templates/c', 'added'],
  ]);
});

test('of a text with several lines only the changed one is marked', () => {
  const [change] = changesBetween(set({ a: hello }), set({ a: { kind: 'text', text: 'Hello\nthem' } }));
  const marked = change?.lines.filter(({ mark }) => mark !== ' ').map(({ mark, text }) => mark + text.trim());
  expect(marked).toEqual(['-you"', '+them"']);
});

test('what is kept and removed is the old text, what is kept and added the new one', () => {
  const line = fc.constantFrom('a', 'b', 'c', '');
  const text = fc.array(line, { maxLength: 6 }).map((lines) => `${lines.join('\n')}\n.`);
  fc.assert(
    fc.property(text, text, (old, now) => {
      // Short enough that no line is left out for being far from a change.
      const lines = differences(old, now);
      if (old === now) return lines.length === 0;
      const of = (mark: string): string[] =>
        lines.filter((one) => one.mark === ' ' || one.mark === mark).map((one) => one.text);
      return old.includes(of('-').join('\n')) && now.includes(of('+').join('\n'));
    }),
  );
});
