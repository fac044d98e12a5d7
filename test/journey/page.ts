import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fences } from '../docs/pages.ts';

const ROOT = join(import.meta.dirname, '../..');

/** A thing to do that a page of the documentation shows: a command, or a file to save. */
export type Shown =
  | { readonly kind: 'command'; readonly text: string }
  | { readonly kind: 'file'; readonly path: string; readonly text: string };

/** The commands and files that a page shows in the sections under these headings, in this order. */
export function shownOn(page: string, ...headings: readonly string[]): readonly Shown[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return headings.flatMap((heading) => shownIn(sectionOf(text, heading)));
}

const shownIn = (section: string): readonly Shown[] =>
  [...fences(section, 'sh'), ...fences(section, 'yaml')]
    .toSorted((a, b) => a.line - b.line)
    .flatMap(({ code }) => fileOf(code) ?? commandsOf(code));

/** A fence that begins with a path in a comment is a file to save. */
function fileOf(code: string): Shown | undefined {
  const [, path] = /^# (\S+\.\w+)\n/.exec(code) ?? [];
  return path === undefined ? undefined : { kind: 'file', path, text: code };
}

/**
 * The answers that a person types into the wizard: the rows `| words of the question | `answer` |` of the page; null:
 * just Enter.
 */
export function answersOn(page: string): readonly (readonly [question: string, answer: string | null])[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return [...text.matchAll(/^\| ([^|`]+?) +\| (?:`([^`]+)`|Enter)[^|]*\|$/gm)].map(
    ([, question = '', answer]) => [question, answer ?? null] as const,
  );
}

function sectionOf(page: string, heading: string): string {
  const [, section] = page.split(`\n## ${heading}\n`);
  if (section === undefined) throw new Error(`there is no section “${heading}”`);
  return section.split('\n## ')[0] ?? '';
}

/** The commands of a fence; one goes on after a `\`. */
function commandsOf(code: string): readonly Shown[] {
  const commands: Shown[] = [];
  let open = '';
  for (const line of code.trimEnd().split('\n')) {
    open = open === '' ? line : `${open}\n${line}`;
    if (line.endsWith('\\')) continue;
    if (open !== '' && !open.startsWith('#')) commands.push({ kind: 'command', text: open });
    open = '';
  }
  return commands;
}
