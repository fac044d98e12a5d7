import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const FOLDER = join(import.meta.dirname, '../../docs/decisions');
const DECISIONS = readdirSync(FOLDER).map(
  (name) => [name, readFileSync(join(FOLDER, name), 'utf8')] as const,
);

/** The names of the decisions that break a rule. */
const breaking = (isKept: (text: string, name: string) => boolean): readonly string[] =>
  DECISIONS.filter(([name, text]) => !isKept(text, name)).map(([name]) => name);

/** The paragraph after the title. */
const firstOf = (text: string): string => text.split('\n\n')[1] ?? '';

/** True if a superseded decision says so first, with a link. */
const saysSo = (text: string): boolean =>
  !/\bsuperseded by\b/i.test(text) ||
  /^(?:In part s|S)uperseded by \[[^\]]+\]\([\d-]+[a-z\d-]+\.md\)/.test(firstOf(text));

/** The decisions that a text links to. */
const linksIn = (text: string): readonly string[] =>
  [...text.matchAll(/\]\((\d{4}-[^)#]+\.md)\)/g)].map(([, file]) => String(file));

describe('a decision', () => {
  it('has a date in its name, and a title', () => {
    expect(DECISIONS.length).toBeGreaterThan(50);
    expect(
      breaking((text, name) => /^\d{4}-\d\d-\d\d-[a-z\d-]+\.md$/.test(name) && text.startsWith('# ')),
    ).toEqual([]);
  });

  it('has at most fifteen lines', () => {
    expect(breaking((text) => text.trimEnd().split('\n').length <= 15)).toEqual([]);
  });

  it('that another one replaces says so', () => {
    const replaced = DECISIONS.flatMap(([, text]) => [
      ...text.matchAll(/\bReplaces \[[^\]]+\]\(([\d-]+[a-z\d-]+\.md)\)/g),
    ]).map(([, file]) => String(file));
    expect(replaced.length).toBeGreaterThan(0);
    const textOf = new Map(DECISIONS);
    expect(replaced.filter((file) => !/superseded by/i.test(textOf.get(file) ?? ''))).toEqual([]);
  });

  it('says in its first line that it is superseded, with a link to the newer one', () => {
    expect(breaking(saysSo)).toEqual([]);
    expect(saysSo('# A\n\n2026-11-22. It is superseded by another.')).toBe(false);
  });

  it('links only to decisions that exist', () => {
    expect(breaking((text) => linksIn(text).every((file) => existsSync(join(FOLDER, file))))).toEqual([]);
  });
});
