import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  MESSAGE_TEXT,
  PAIRED_KEY,
  PAYLOAD_TEXT,
  PHONE_NUMBERS,
  QUIET_TEXT,
  readable,
  type Canary,
} from './canary-values.ts';

/** Something that was written, said or answered, and where. */
export interface Trace {
  /** Begins with its kind: `log`, `answer`, `row`, `file`, `notice`. */
  readonly place: string;
  /** Each character is a byte. */
  readonly text: string;
}

/** A canary that stands where it must not. It says how it was known, and never what stands around it. */
interface Finding {
  readonly canary: string;
  readonly form: string;
  readonly place: string;
}

/** A canary that may stand in a certain place, and the reason. Everything else may stand nowhere. */
export interface Allowance {
  readonly canary: string;
  readonly place: RegExp;
  readonly why: string;
}

/** Looks for every canary in every trace. */
export function search(
  traces: readonly Trace[],
  canaries: readonly Canary[],
  allowances: readonly Allowance[],
): readonly Finding[] {
  return traces.flatMap(({ place, text }) => {
    const lower = text.toLowerCase();
    return canaries.flatMap(({ name, needles }) => {
      if (allowances.some((one) => one.canary === name && one.place.test(place))) return [];
      const found = needles.find((needle) => lower.includes(needle.text));
      return found === undefined ? [] : [{ canary: name, form: found.form, place }];
    });
  });
}

/** One line for a person. */
export const describeFinding = ({ canary, form, place }: Finding): string =>
  `${canary} (${form}) in ${place}`;

/** Rows and files of accounts' objects, and the answers to admins that are about events and messages. */
const DELIVERY =
  /^(row|file) objects\/relay-Outbox\/|^answer \w+ \/admin\/api\/v1\/(events|messages|sources\/[^/]+\/preview)(\/|$)/;

const words = (canary: string): Allowance => ({
  canary,
  place: DELIVERY,
  why: 'an event is kept as it came, and so are the messages that were made of it',
});

/** All that may stand anywhere. */
export const ALLOWED: readonly Allowance[] = [
  {
    canary: MESSAGE_TEXT.name,
    place: /^answer GET \/admin\/api\/v1\/tail$/,
    why: 'an event is named by words of its payload, to those who may read payloads',
  },
  words(PAYLOAD_TEXT.name),
  words(MESSAGE_TEXT.name),
  words(PHONE_NUMBERS.name),
  {
    canary: QUIET_TEXT.name,
    place: /^file objects\/relay-Outbox\//,
    why: 'it was kept until it was sent; SQLite overwrites what is deleted later, not at once',
  },
  {
    canary: PAIRED_KEY.name,
    place: /^answer POST .*\/sources\/tasks\/pair\/key, once$/,
    why: 'shown once to the admin who waits for it, to be set as a secret',
  },
  {
    canary: PAIRED_KEY.name,
    place: /^answer POST \/hooks\/tasks handshake$/,
    why: 'the provider wants its own key back, as it sent it',
  },
  {
    canary: PAIRED_KEY.name,
    place: /^file objects\/relay-Registry\//,
    why: 'it was kept until it was shown; SQLite overwrites what is deleted later, not at once',
  },
  {
    canary: 'GATEWAY_EMAIL',
    place:
      /^(row|file) objects\/(relay-Registry|kv-KvStore)\/.*( versions\.documents| removed_accounts\.document| kv\.value|-wal|\.sqlite)$|^answer \w+ \/admin\/api\/v1\/(sources|accounts|templates)\/mistake(\/preview)?$/,
    why: 'a shop may want its customers to write to that address, so a document may have it, and errors quote it',
  },
];

/** The Workers' code, which the runtime was given. */
const GIVEN = /^\w+\.js$/;

/** The log of the Workers, with the runtime's own words in it. */
export const logTraces = (storeDir: string): readonly Trace[] => [
  { place: 'log', text: readFileSync(join(storeDir, 'workerd.log'), 'latin1') },
];

/** All files of a stopped runtime byte by byte, journals and what was deleted included. */
export const fileTraces = (storeDir: string): readonly Trace[] =>
  filesIn(storeDir).map((file) => ({
    place: `file ${shortName(file)}`,
    text: readFileSync(join(storeDir, file), 'latin1'),
  }));

/** Every value of every table of every object. `copyDir`: an empty folder; opening a database changes it. */
export function rowTraces(storeDir: string, copyDir: string): readonly Trace[] {
  cpSync(storeDir, copyDir, { recursive: true });
  return filesIn(copyDir)
    .filter((file) => file.endsWith('.sqlite'))
    .flatMap((file) => {
      const database = new DatabaseSync(join(copyDir, file));
      try {
        return tablesOf(database).flatMap((table) => columnTraces(database, shortName(file), table));
      } finally {
        database.close();
      }
    });
}

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !GIVEN.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));

/** An object's file is named by 64 hex digits. */
const shortName = (file: string): string => file.replace(/([0-9a-f]{6})[0-9a-f]{58}/, '$1');

const tablesOf = (database: DatabaseSync): readonly string[] =>
  database
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
    .all()
    .map(({ name }) => String(name));

/** A trace a column, so that a finding names it. */
function columnTraces(database: DatabaseSync, file: string, table: string): readonly Trace[] {
  const values = new Map<string, string[]>();
  const statement = database.prepare(`SELECT * FROM "${table}"`);
  statement.setReadBigInts(true);
  for (const row of statement.iterate()) {
    for (const [column, value] of Object.entries(row)) {
      const texts = values.get(column) ?? [];
      texts.push(value instanceof Uint8Array ? readable(value) : String(value));
      values.set(column, texts);
    }
  }
  return [...values].map(([column, texts]) => ({
    place: `row ${file} ${table}.${column}`,
    text: texts.join('\n'),
  }));
}
