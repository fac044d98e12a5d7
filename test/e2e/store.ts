import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** The rows of a table in all objects of a relay that is not running. Reads a copy: opening a database changes it. */
export function rowsOf(storeDir: string, table: string): readonly Record<string, unknown>[] {
  const copy = mkdtempSync(join(tmpdir(), 'hookbell-e2e-copy-'));
  try {
    cpSync(join(storeDir, 'objects'), copy, { recursive: true });
    return readdirSync(copy, { recursive: true, withFileTypes: true })
      .filter(({ name }) => /^[0-9a-f]{64}\.sqlite$/.test(name))
      .flatMap(({ parentPath, name }) => {
        const database = new DatabaseSync(join(parentPath, name));
        try {
          const known = database.prepare('SELECT 1 FROM sqlite_master WHERE name = ?').get(table);
          return known === undefined ? [] : database.prepare(`SELECT * FROM ${table}`).all();
        } finally {
          database.close();
        }
      });
  } finally {
    rmSync(copy, { recursive: true });
  }
}
