import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readable } from './canary-bytes.ts';
import type { Trace } from './canary-search.ts';

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
