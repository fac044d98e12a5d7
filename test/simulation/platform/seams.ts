import type { Row } from './sql.ts';

/**
 * The seams between the product and its platform. A planted fault is a wrapper of one of them: the product's code stays as it is,
 * and behaves as if it had asked the platform for something else, or had misread what the platform said.
 */
export interface Seams {
  /** A write of an object; false: it is only pretended. */
  readonly write: (object: string, text: string, values: readonly unknown[]) => boolean;
  /** The rows that an object reads. */
  readonly read: (
    object: string,
    text: string,
    values: readonly unknown[],
    rows: readonly Row[],
  ) => readonly Row[];
  /** True if the writes of an object between two awaits, and in a transaction, are on disk as a whole or not at all. */
  readonly isAtomic: (object: string) => boolean;
  /** The alarm that an object sets; undefined: it is not set. */
  readonly setAlarm: (object: string, at: number | null) => number | null | undefined;
  /** True if the alarm of an object stays when its instance is gone. */
  readonly keepsAlarm: (object: string) => boolean;
  /** A published set, as whoever uses it reads it: from KV, or in a call of an object. */
  readonly published: (set: string) => string;
  /**
   * A call to a server outside. `answer first`: it counts as done before it is made; `lose`: it counts as done and is never made;
   * `twice`: it is made twice.
   */
  readonly fetch: (request: Request) => 'make' | 'answer first' | 'lose' | 'twice';
  /** The answer of a server outside; null: the connection broke without an answer. */
  readonly fetched: (request: Request, response: Response | null) => Response | null;
  /** The answer to a request from outside. */
  readonly answer: (request: Request, response: Response) => Response;
  /** True if answers of an object wait for what it has written. */
  readonly waitsForDisk: (object: string) => boolean;
  /** The clock of an object's or a Worker's machine, in ms. */
  readonly clock: (now: number) => number;
}

export const NO_PLANTED_FAULT: Seams = {
  write: () => true,
  read: (_object, _text, _values, rows) => rows,
  isAtomic: () => true,
  setAlarm: (_object, at) => at,
  keepsAlarm: () => true,
  published: (set) => set,
  fetch: () => 'make',
  fetched: (_request, response) => response,
  answer: (_request, response) => response,
  waitsForDisk: () => true,
  clock: (now) => now,
};

/** Returns the seams; `strike` is called whenever a planted fault makes one of them give something else. */
export function watched(seams: Seams, strike: () => void): Seams {
  const of = <Asked extends readonly unknown[], Given>(
    name: string,
    plain: (...asked: Asked) => Given,
    planted: (...asked: Asked) => Given,
  ): ((...asked: Asked) => Given) =>
    planted === plain
      ? plain
      : (...asked) => {
          const given = planted(...asked);
          const right = plain(...asked);
          const isSame = name === 'read' ? JSON.stringify(given) === JSON.stringify(right) : given === right;
          if (!isSame) strike();
          return given;
        };
  const none = NO_PLANTED_FAULT;
  return {
    write: of('write', none.write, seams.write),
    read: of('read', none.read, seams.read),
    isAtomic: of('isAtomic', none.isAtomic, seams.isAtomic),
    setAlarm: of('setAlarm', none.setAlarm, seams.setAlarm),
    keepsAlarm: of('keepsAlarm', none.keepsAlarm, seams.keepsAlarm),
    published: of('published', none.published, seams.published),
    fetch: of('fetch', none.fetch, seams.fetch),
    fetched: of('fetched', none.fetched, seams.fetched),
    answer: of('answer', none.answer, seams.answer),
    waitsForDisk: of('waitsForDisk', none.waitsForDisk, seams.waitsForDisk),
    clock: of('clock', none.clock, seams.clock),
  };
}

/** A value with its published sets as they are read. */
export function asRead<Value>(seams: Seams, value: Value): Value;
export function asRead(seams: Seams, value: unknown): unknown {
  if (seams.published === NO_PLANTED_FAULT.published) return value;
  if (typeof value === 'string') return value.startsWith('{"activation":') ? seams.published(value) : value;
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, asRead(seams, one)]));
}
