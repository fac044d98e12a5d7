import { readdirSync, readFileSync, statSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import { KINDS } from '../../src/config/documents/name.ts';
import { EMPTY_SET, type ConfigSet } from '../../src/config/documents/schema.ts';
import { err, ok, type Result } from '../../src/lib/result.ts';
import { suggest } from '../../src/lib/suggest.ts';
import { failed, type CommandResult } from '../failure.ts';
import type { DocumentId } from './kinds.ts';
import { type FolderProblem, showProblem } from './problem.ts';
import { quoted } from '../text.ts';
import { readText, type ReadText } from './yaml.ts';
import { valuesOf } from '../../shared/new-source/plan.ts';

export interface LocalDocument extends DocumentId, ReadText {
  /** The path as it is shown: the given folder, and the file in it. */
  readonly file: string;
  readonly text: string;
}

export interface LocalFolder {
  readonly folder: string;
  readonly documents: readonly LocalDocument[];
  readonly set: ConfigSet;
  readonly oddities: readonly FolderProblem[];
}

const EXTENSION = /\.(ya?ml|json)$/;

/** Folders without documents that a project may have. */
const OTHER_FOLDERS: readonly string[] = ['fixtures'];

/** Reads a folder with a folder for each kind of document. Fails if one of them cannot be read. */
export function readFolder(folder: string): CommandResult<LocalFolder> {
  const read = readWhatCan(folder);
  return read.ok && read.value.problems.length > 0 ? notRead(folder, read.value.problems) : read;
}

/** A folder with documents that could not be read. */
export interface PartlyRead extends LocalFolder {
  /** The reasons for which they could not be read, and their places. */
  readonly problems: readonly FolderProblem[];
  /** The documents that could not be read. */
  readonly unread: readonly DocumentId[];
}

/** Like {@link readFolder}, with the problems beside the documents that could be read. */
export function readWhatCan(folder: string): CommandResult<PartlyRead> {
  const found = findFiles(folder);
  if (!found.ok) return found;
  const documents: LocalDocument[] = [];
  const problems: FolderProblem[] = [];
  const unread: DocumentId[] = [];
  const byName = new Map<string, string>();
  for (const { kind, name, file } of found.value.files) {
    const other = byName.get(`${kind}/${name}`);
    if (other !== undefined)
      problems.push({ file, message: `is a second \`${name}\`, next to ${other}: remove one of them` });
    byName.set(`${kind}/${name}`, file);
    const read = readDocument({ kind, name, file });
    if (read.ok) documents.push(read.value);
    else {
      problems.push(...read.error);
      unread.push({ kind, name });
    }
  }
  const warnings = documents.flatMap(({ file, warnings }) => warnings.map((one) => ({ file, ...one })));
  const oddities = [...found.value.oddities, ...warnings];
  return ok({ folder, documents, set: setOf(documents), oddities, problems, unread });
}

/** Like {@link readFolder}; a folder that is missing or has no documents is read as empty. */
export const readFolderOrNothing = (folder: string): CommandResult<LocalFolder> =>
  KINDS.some((kind) => isFolder(join(folder, kind)))
    ? readFolder(folder)
    : ok({ folder, documents: [], set: EMPTY_SET, oddities: [] });

const setOf = (documents: readonly LocalDocument[]): ConfigSet =>
  KINDS.reduce<ConfigSet>((set, kind) => ({ ...set, [kind]: valuesOf(documents, kind) }), EMPTY_SET);

function notRead(folder: string, problems: readonly FolderProblem[]) {
  const [first] = problems;
  if (problems.length === 1 && first !== undefined) return failed(showProblem(first));
  return failed(`${folder} cannot be read`, { details: problems.map(showProblem) });
}

type FoundFile = Pick<LocalDocument, 'kind' | 'name' | 'file'>;

function findFiles(folder: string): CommandResult<{ files: FoundFile[]; oddities: FolderProblem[] }> {
  const entries = list(folder);
  if (!entries.ok) return entries;
  const files: FoundFile[] = [];
  const oddities: FolderProblem[] = [];
  const names = new Set(entries.value.map(({ name }) => name));
  if (!KINDS.some((kind) => names.has(kind)))
    return failed(
      `${folder} has none of the folders ${KINDS.join(', ')}; \`hookbell init ${quoted(folder)}\` makes them`,
    );
  for (const entry of entries.value) {
    const kind = KINDS.find((one) => one === entry.name);
    if (kind !== undefined) {
      const inner = list(join(folder, kind));
      if (!inner.ok) return inner;
      for (const { name } of inner.value) {
        const file = join(folder, kind, name);
        if (EXTENSION.test(name)) files.push({ kind, name: name.replace(EXTENSION, ''), file });
        else if (!name.startsWith('.'))
          oddities.push({ file, message: 'is not a .yaml or .json file: ignored' });
      }
    } else if (entry.isDirectory() && !OTHER_FOLDERS.includes(entry.name)) {
      const close = suggest(entry.name, [...KINDS, ...OTHER_FOLDERS]);
      if (close !== null)
        oddities.push({ file: join(folder, entry.name), message: `is ignored; did you mean \`${close}\`?` });
    }
  }
  return ok({ files, oddities });
}

/** In alphabetical order, so that output is in that order, too. */
function list(folder: string): CommandResult<Dirent[]> {
  try {
    return ok(readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1)));
  } catch (thrown) {
    return failed(whyNot(folder, thrown, true));
  }
}

function whyNot(path: string, thrown: unknown, isOfFolder = false): string {
  const code: unknown = thrown instanceof Error ? Reflect.get(thrown, 'code') : undefined;
  if (code === 'ENOENT')
    return isOfFolder
      ? `there is no folder ${path}; \`hookbell init ${quoted(path)}\` makes one`
      : `there is no file ${path}`;
  if (code === 'ENOTDIR' && isOfFolder) return `${path} is not a folder`;
  if (code === 'EISDIR') return `${path} is a folder, not a file`;
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return `${path} is not UTF-8: save it in that encoding`;
  return `${path} cannot be read (${typeof code === 'string' ? code : 'unknown reason'})`;
}

const STRICT = { fatal: true, ignoreBOM: false };

/** Reads UTF-8 only: a replacement character would go to a phone. */
export const readFile = (path: string): CommandResult<string> =>
  readWith(path, () => new TextDecoder('utf-8', STRICT).decode(readFileSync(path)));

/** The same; `-` is stdin. */
export const readFileOrStdin = (path: string, readStdin: () => string): CommandResult<string> =>
  path === '-' ? readWith('stdin', readStdin) : readFile(path);

function readWith(path: string, read: () => string): CommandResult<string> {
  try {
    return ok(read().replace(/^\ufeff/, ''));
  } catch (thrown) {
    return failed(whyNot(path, thrown));
  }
}

function readDocument({ kind, name, file }: FoundFile): Result<LocalDocument, readonly FolderProblem[]> {
  const text = readFile(file);
  if (!text.ok) return err([{ file, message: text.error.message.replace(`${file} `, '') }]);
  const read = readText(text.value, file.endsWith('.json'));
  if (read.ok) return ok({ kind, name, file, text: text.value, ...read.value });
  const { more = [], ...first } = read.error;
  return err([first, ...more].map((fault) => ({ file, ...fault })));
}

export function readOneDocument(file: string): CommandResult<unknown> {
  const text = readFile(file);
  if (!text.ok) return text;
  const read = readText(text.value, file.endsWith('.json'));
  return read.ok ? ok(read.value.value) : failed(showProblem({ file, ...read.error }));
}

export const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

export const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;
