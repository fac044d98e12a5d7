import { ownValue } from '../../src/lib/json.ts';
import { firstGraphemes } from '../../src/lib/text.ts';
import { NAME } from '../../src/config/documents/name.ts';
import type { Output } from '../output.ts';

/** Something wrong with a file, and where. Lines and columns count from 1. */
export interface FolderProblem {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
  /** The place inside the document, such as `routes[0].to`. */
  readonly path?: string;
  readonly message: string;
  /** As the relay gives them. */
  readonly code?: string | undefined;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  readonly written?: string;
}

/** A line as editors and CI recognise it, `file:line:column`, and below it the line of the file. */
export function showProblem({ file, line, column, path, message, written }: FolderProblem): string {
  const place = line === undefined ? file : `${file}:${line}:${column ?? 1}`;
  const head = `${place}: ${path === undefined || path === '' ? '' : `${path} `}${message}`;
  if (written === undefined) return head;
  // A terminal shows a tab in the indentation like blanks.
  const shown = firstGraphemes(written, MAX_SHOWN).replace(/^\s+/, (blank) => blank.replaceAll('\t', '→ '));
  return `${head}\n${shown}`;
}

const MAX_SHOWN = 200;

/** An error of the configuration, with its path in the set. */
export type PlacedError = Pick<FolderProblem, 'message' | 'code' | 'params'> & { readonly path: string };

/** A source's document as it is written, by the file that a problem names. */
export type SourceOf = (file: string) => { readonly name: string; readonly value: unknown } | undefined;

/** Problems for a person. One that several routes share is listed once, with their names. */
export function together(problems: readonly FolderProblem[], sourceOf: SourceOf): readonly FolderProblem[] {
  const groups = Map.groupBy(problems, (one) => {
    const field = fieldOf(one);
    return JSON.stringify(field === null ? one : [field.name, one.message]);
  });
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first === undefined || group.length === 1 ? group : [merged(first, group, sourceOf)];
  });
}

function merged(first: FolderProblem, group: readonly FolderProblem[], sourceOf: SourceOf): FolderProblem {
  const byFile = Map.groupBy(group, ({ file }) => file);
  const routes = [...byFile].map(([file, all]) => {
    const source = sourceOf(file);
    const names = listed(all.map((one) => routeName(one, source?.value)));
    return byFile.size === 1 || source === undefined ? names : `${names} of ${source.name}`;
  });
  const { path: _, message, ...place } = first;
  const field = fieldOf(first)?.name ?? '';
  const subject = field === '' ? '' : `\`${field}\` of `;
  return { ...place, message: `${subject}the routes ${listed(routes)}${field === '' ? ':' : ''} ${message}` };
}

/** Returns the route's number and `to` for a path such as `routes[0].to`. */
function fieldOf({ path = '' }: FolderProblem): { readonly route: number; readonly name: string } | null {
  const [, route, name = ''] = /^routes\[(\d+)\](?:\.(.+))?$/s.exec(path) ?? [];
  return route === undefined ? null : { route: Number(route), name };
}

function routeName(problem: FolderProblem, source: unknown): string {
  const at = fieldOf(problem)?.route ?? 0;
  const name = ownValue(source, `routes.${at}.name`);
  return typeof name === 'string' ? name : String(at + 1);
}

/** `a`, `a and b`, `a, b and c`. */
const listed = (names: readonly string[]): string =>
  [names.slice(0, -1).join(', '), ...names.slice(-1)].filter((part) => part !== '').join(' and ');

/** A warning of the relay about a document that is in no file here. */
export function inNoFile({ path, message, ...coded }: PlacedError): FolderProblem {
  const [, kind, name = '', rest] = /^(\w+)\.([^.[]+)(?:\.(.+))?$/s.exec(path) ?? [];
  return kind === undefined || !NAME.test(name)
    ? { file: path, message, ...coded }
    : { file: `${kind}/${name}`, message, ...coded, ...(rest !== undefined && { path: rest }) };
}

/** Shows warnings about the documents of a folder, one for all routes that share it. */
export function showWarnings(
  out: Output,
  warnings: readonly FolderProblem[],
  documents: readonly {
    readonly kind: string;
    readonly file: string;
    readonly name: string;
    readonly value: unknown;
  }[],
): void {
  const sourceOf = (file: string) => documents.find((one) => one.kind === 'sources' && one.file === file);
  for (const warning of together(warnings, sourceOf)) out.problem('warning', showProblem(warning));
}
