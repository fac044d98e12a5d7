import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** The most values that one statement may bind, and its greatest length (Durable Objects, "Limits"). */
const MAX_BOUND = 100;
const MAX_STATEMENT_BYTES = 100_000;

type Value = string | number | ArrayBuffer | null;
export type Row = Record<string, Value>;
type Bound = string | number | null | Uint8Array;

/** A statement that was compiled once for its database. */
interface Compiled {
  readonly statement: StatementSync;
  /** The names of its columns; none: it has no rows. */
  readonly columns: readonly string[];
  readonly isWrite: boolean;
  /** It may need more space on the disk. */
  readonly isGrowing: boolean;
  /** It changes tables: what others select from them may change. */
  readonly isOfSchema: boolean;
}

/** Several statements in one text, which are not compiled. */
const SCRIPT = 'script';

/** The rows of a statement. All are read at once; the platform reads them as they are asked for. */
export class Cursor {
  readonly rowsWritten: number;
  readonly columnNames: readonly string[];
  readonly #rows: readonly Row[];
  #next = 0;

  constructor(rows: readonly Row[], columnNames: readonly string[], rowsWritten: number) {
    this.#rows = rows;
    this.columnNames = columnNames;
    this.rowsWritten = rowsWritten;
  }

  get rowsRead(): number {
    return this.#rows.length;
  }

  toArray(): Row[] {
    const rows = this.#rows.slice(this.#next);
    this.#next = this.#rows.length;
    return rows;
  }

  one(): Row {
    const [row, ...more] = this.toArray();
    if (row === undefined || more.length > 0)
      throw new Error(
        `Expected exactly one result from SQL query, but got ${row === undefined ? 'no results' : 'multiple results'}.`,
      );
    return row;
  }

  next(): { done: false; value: Row } | { done: true; value: undefined } {
    const value = this.#rows[this.#next];
    if (value === undefined) return { done: true, value };
    this.#next += 1;
    return { done: false, value };
  }

  *raw(): Generator<Value[]> {
    for (const row of this.toArray()) yield Object.values(row);
  }

  *[Symbol.iterator](): Generator<Row> {
    for (let found = this.next(); !found.done; found = this.next()) yield found.value;
  }
}

/** Asked before a statement runs; may refuse it by throwing. */
export interface SqlHost {
  /** Called before each statement; `isWrite` opens a transaction if none is. */
  beforeStatement(text: string, kind: { readonly isWrite: boolean; readonly isGrowing: boolean }): void;
  /** False: the write is only pretended (a planted fault). */
  mayWrite(text: string, values: readonly unknown[]): boolean;
  /** The rows that are read (a planted fault gives others). */
  rows(text: string, values: readonly unknown[], rows: readonly Row[]): readonly Row[];
}

/** `ctx.storage.sql` over node:sqlite. */
export class SqlStatements {
  readonly #database: DatabaseSync;
  readonly #compiled = new Map<string, Compiled | typeof SCRIPT>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** The database is another one now. */
  forget(): void {
    this.#compiled.clear();
  }

  exec(host: SqlHost, text: string, values: readonly unknown[]): Cursor {
    if (values.length > MAX_BOUND) throw new Error(`too many SQL variables: ${values.length}: SQLITE_ERROR`);
    if (text.length > MAX_STATEMENT_BYTES) throw new Error('statement too long: SQLITE_TOOBIG');
    const compiled = this.#compiled.get(text) ?? this.#compile(text);
    if (compiled === SCRIPT) return this.#script(host, text, values);
    const { statement, columns, isWrite } = compiled;
    host.beforeStatement(text, compiled);
    if (isWrite && !host.mayWrite(text, values)) return new Cursor([], [], 1);
    const bound = values.map(boundValue);
    try {
      if (compiled.isOfSchema) this.#compiled.clear();
      if (columns.length === 0) return new Cursor([], [], Number(statement.run(...bound).changes));
      const lists: unknown[] = statement.all(...bound);
      const rows = lists.map((values) => rowOf(columns, values));
      return new Cursor(isWrite ? rows : host.rows(text, values, rows), columns, isWrite ? rows.length : 0);
    } catch (thrown) {
      throw platformError(thrown);
    }
  }

  /** Several statements in one text. */
  #script(host: SqlHost, text: string, values: readonly unknown[]): Cursor {
    if (values.length > 0) throw new Error('the simulated platform binds values of one statement only');
    host.beforeStatement(text, { isWrite: true, isGrowing: true });
    this.#compiled.clear();
    this.#database.exec(text);
    return new Cursor([], [], 1);
  }

  #compile(text: string): Compiled | typeof SCRIPT {
    const compiled = /;\s*\S/.test(text) ? SCRIPT : this.#statementOf(text);
    this.#compiled.set(text, compiled);
    return compiled;
  }

  #statementOf(text: string): Compiled {
    try {
      const statement = this.#database.prepare(text);
      // Much faster than rows that SQLite's binding names itself.
      statement.setReturnArrays(true);
      const isWrite =
        /^\s*(insert|update|delete|replace|create|drop|alter|with\b[^]*\b(insert|update|delete))\b/i.test(
          text,
        );
      return {
        statement,
        columns: statement.columns().map(({ name }) => name),
        isWrite,
        isGrowing: isWrite && !/^\s*(delete|drop)\b/i.test(text),
        isOfSchema: /^\s*(create|drop|alter)\b/i.test(text),
      };
    } catch (thrown) {
      throw platformError(thrown);
    }
  }
}

/** The platform adds SQLite's code to the message. */
const platformError = (thrown: unknown): Error => {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const code = /constraint/i.test(message) ? 'SQLITE_CONSTRAINT' : 'SQLITE_ERROR';
  return new Error(`${message}: ${code}`, { cause: thrown });
};

function boundValue(value: unknown): Bound {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string' || typeof value === 'number') return value;
  if (value instanceof Uint8Array) return value;
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  throw new TypeError(`the platform cannot bind a ${typeof value}`);
}

/** Blobs are buffers of their own. */
function rowOf(columns: readonly string[], values: unknown): Row {
  if (!Array.isArray(values)) throw new TypeError('a row is a list of values');
  const row: Row = {};
  for (let index = 0; index < columns.length; index += 1) {
    const name = columns[index] ?? '';
    const value: unknown = values[index];
    if (typeof value === 'string' || typeof value === 'number' || value === null) row[name] = value;
    else if (value instanceof Uint8Array) row[name] = Uint8Array.from(value).buffer;
    else throw new TypeError(`a ${typeof value} in the column ${name}`);
  }
  return row;
}
