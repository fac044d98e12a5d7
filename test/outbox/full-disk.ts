/** A disk that is full for the next writes of a kind. */
export interface Disk {
  fails: number;
  /** The number of times that such a write was tried. */
  tries: number;
}

/** Makes writes fail as they do on a full disk. To be called once for a storage. */
export function diskOf(sql: SqlStorage, isMeant: (query: string) => boolean): Disk {
  const disk = { fails: 0, tries: 0 };
  const exec = sql.exec.bind(sql);
  sql.exec = <Row extends Record<string, SqlStorageValue>>(query: string, ...values: unknown[]) => {
    if (isMeant(query)) {
      disk.tries += 1;
      if (disk.fails > 0) {
        disk.fails -= 1;
        throw new Error('database or disk is full: SQLITE_FULL');
      }
    }
    return exec<Row>(query, ...values);
  };
  return disk;
}

/** Records of calls, in the rows of messages. */
export const isRecord = (query: string): boolean =>
  query.includes('UPDATE messages SET state = ?, reason = ?, next_at');
/** Claims. */
export const isClaim = (query: string): boolean => query.includes('INTO checkpoint');
