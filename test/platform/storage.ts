import { DatabaseSync } from 'node:sqlite';
import { SqlStatements, type SqlHost } from '../simulation/platform/sql.ts';

/** No write fails, and no row is read otherwise than it is. */
const FAULTLESS: SqlHost = {
  beforeStatement: () => undefined,
  mayWrite: () => true,
  rows: (_text, _values, rows) => rows,
};

/**
 * The storage of a Durable Object in Node: SQLite by the simulated platform, which has the limits of the real one. An
 * alarm is kept, and does not ring. Its rows are counted otherwise than the platform bills them.
 */
export function simulatedStorage(): DurableObjectStorage {
  const database = new DatabaseSync(':memory:');
  const statements = new SqlStatements(database);
  const size = database.prepare(
    'SELECT (c.page_count - f.freelist_count) * s.page_size AS bytes FROM pragma_page_count c, pragma_freelist_count f, pragma_page_size s',
  );
  let alarm: number | null = null;
  let depth = 0;
  const storage = {
    sql: {
      exec: (text: string, ...values: unknown[]) => statements.exec(FAULTLESS, text, values),
      get databaseSize() {
        return Number(size.get()?.['bytes'] ?? 0);
      },
    },
    transactionSync<Value>(work: () => Value): Value {
      const savepoint = `t${depth}`;
      const alarmBefore = alarm;
      database.exec(`SAVEPOINT ${savepoint}`);
      depth += 1;
      try {
        return work();
      } catch (thrown) {
        database.exec(`ROLLBACK TO ${savepoint}`);
        alarm = alarmBefore;
        throw thrown;
      } finally {
        database.exec(`RELEASE ${savepoint}`);
        depth -= 1;
      }
    },
    sync: async () => undefined,
    getAlarm: async () => alarm,
    setAlarm: async (at: number | Date) => {
      alarm = Number(at);
    },
    deleteAlarm: async () => {
      alarm = null;
    },
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what no test may use is not there
  return storage as unknown as DurableObjectStorage;
}
