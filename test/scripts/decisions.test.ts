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

  it('says in its first line that it is superseded, with a link to the newer one', () => {
    const isKept = (text: string): boolean =>
      !/\bsuperseded by\b/i.test(text) ||
      /^(?:In part s|S)uperseded by \[[^\]]+\]\([\d-]+[a-z\d-]+\.md\)/.test(firstOf(text));
    expect(breaking(isKept)).toEqual([]);
    expect(isKept('# A\n\n2026-11-22. It is superseded by another.')).toBe(false);
  });

  it('links only to decisions that exist', () => {
    const links = (text: string) =>
      [...text.matchAll(/\]\((\d{4}-[^)#]+\.md)\)/g)].map(([, file]) => String(file));
    expect(breaking((text) => links(text).every((file) => existsSync(join(FOLDER, file))))).toEqual([]);
  });
});
