/** A row's statement, as an `INSERT` and as an `UPDATE` of an expired row. */
type Statements = readonly [insert: string, overwrite: string];

/** `isFree`: the condition for the row that is overwritten. All columns are given: nothing is left of that row. */
export const statements = (
  [table, columns, values]: readonly [table: string, columns: string, values: string],
  isFree: string,
  [verb, onConflict, ofUpdate]: readonly [verb: string, onConflict: string, ofUpdate: string],
): Statements => [
  `${verb} INTO ${table} (${columns}) VALUES (${values}) ${onConflict}`,
  `UPDATE OR ${ofUpdate} ${table} SET (${columns}) = (${values}) WHERE ${isFree}`,
];

/** Writes a row: over an expired one if `old`, the values of its condition, is given and still meets it. */
export const write = (
  sql: SqlStorage,
  [insert, overwrite]: Statements,
  row: readonly SqlStorageValue[],
  old: readonly SqlStorageValue[] | undefined,
): boolean =>
  (old !== undefined && sql.exec(overwrite, ...row, ...old).rowsWritten > 0) ||
  sql.exec(insert, ...row).rowsWritten > 0;
