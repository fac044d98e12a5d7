import type { Disk } from './disk.ts';
import { currentInvocation, io } from './owner.ts';
import { refusing } from './refusing.ts';
import type { SqlHost } from './sql.ts';

interface StorageHost {
  readonly disk: Disk;
  readonly sql: SqlHost;
  isAlive(): boolean;
  setAlarm(at: number | null): void;
  /** Ends in a step of its own; no other event is let in before. */
  gated<Value>(value: () => Value): Promise<Value>;
}

/** `ctx.storage` of one instance. An instance that was replaced can no longer use it. */
export function storageOf(host: StorageHost): object {
  const { disk, sql } = host;
  const living = (): void => {
    if (!host.isAlive())
      throw new Error(
        'The Durable Object this storage belongs to was reset; this instance can no longer access storage.',
      );
  };
  const setAlarm = (at: number | null): Promise<void> => {
    living();
    disk.open();
    host.setAlarm(at);
    return host.gated(() => undefined);
  };
  const statements = {
    exec: (text: string, ...values: unknown[]) => {
      living();
      return disk.statements.exec(sql, text, values);
    },
    get databaseSize() {
      return disk.bytes;
    },
  };
  return refusing('`ctx.storage`', {
    sql: refusing('`ctx.storage.sql`', statements),
    transactionSync: <Value>(work: () => Value): Value => {
      living();
      return disk.transactionSync(work);
    },
    sync: () =>
      io<void>(currentInvocation('storage.sync'), ({ resolve }) => disk.whenFlushed(() => resolve())),
    getAlarm: () => host.gated(() => disk.alarm),
    setAlarm: (at: number | Date) => setAlarm(Number(at)),
    deleteAlarm: () => setAlarm(null),
  });
}
