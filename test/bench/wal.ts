import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';

const HEADER = 32;
const FRAME_HEADER = 24;
/** A thousand pages after which SQLite begins anew are not written in this time. */
const LOOK_EACH_MS = 10;

/**
 * Counts the commits of an object from outside: each writes a frame into SQLite's write-ahead log that says so, and each is
 * flushed. Nothing inside of the object sees the commits that the runtime makes by itself.
 */
export class CommitWatch {
  readonly #folder: string;
  readonly #timer: ReturnType<typeof setInterval>;
  readonly #logs = new Map<string, { salt: bigint; frames: number }>();
  #commits = 0;

  /** From now on, of all objects whose files are in the folder. */
  constructor(folder: string) {
    this.#folder = folder;
    this.#look();
    this.#commits = 0;
    this.#timer = setInterval(() => this.#look(), LOOK_EACH_MS);
  }

  /** The number of commits so far. */
  count(): number {
    this.#look();
    return this.#commits;
  }

  stop(): number {
    clearInterval(this.#timer);
    return this.count();
  }

  #look(): void {
    for (const name of readdirSync(this.#folder))
      if (name.endsWith('-wal')) this.#read(join(this.#folder, name));
  }

  #read(file: string): void {
    const log = openSync(file, 'r');
    try {
      const header = new DataView(new ArrayBuffer(HEADER));
      if (readSync(log, header, 0, HEADER, 0) < HEADER) return;
      const pageSize = header.getUint32(8);
      const salt = header.getBigUint64(16);
      const known = this.#logs.get(file) ?? { salt, frames: 0 };
      // The end of the last log is still there, behind the frames of the new one.
      if (known.salt !== salt) this.#count(log, pageSize, known);
      const now = known.salt === salt ? known : { salt, frames: 0 };
      this.#count(log, pageSize, now);
      this.#logs.set(file, now);
    } finally {
      closeSync(log);
    }
  }

  #count(log: number, pageSize: number, known: { readonly salt: bigint; frames: number }): void {
    const frame = new DataView(new ArrayBuffer(FRAME_HEADER));
    for (;;) {
      const at = HEADER + known.frames * (FRAME_HEADER + pageSize);
      const isWhole = readSync(log, frame, 0, FRAME_HEADER, at) === FRAME_HEADER;
      if (!isWhole || frame.getBigUint64(8) !== known.salt) return;
      known.frames += 1;
      // The size of the database after a commit; 0 in its other frames.
      if (frame.getUint32(4) > 0) this.#commits += 1;
    }
  }
}
