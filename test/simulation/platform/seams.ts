/**
 * The seams between the product and its platform. A planted fault is a wrapper of one of them: the product's code stays as it is,
 * and behaves as if it had asked the platform for something else.
 */
export interface Seams {
  /** A write of an object; false: it is only pretended. */
  write(object: string, text: string, values: readonly unknown[]): boolean;
  /** The alarm that an object sets; undefined: it is not set. */
  setAlarm(object: string, at: number | null): number | null | undefined;
  /** What KV has for a key. */
  kvGet(key: string, value: string | null): string | null;
  /** A call to a server outside. `answer first`: it counts as done before it is made; `lose`: it counts as done and is never made. */
  fetch(request: Request): 'make' | 'answer first' | 'lose';
  /** Whether answers of an object wait for what it has written. */
  waitsForDisk(object: string): boolean;
  /** The clock of an object's or a Worker's machine, in ms. */
  clock(now: number): number;
}

export const NO_PLANTED_FAULT: Seams = {
  write: () => true,
  setAlarm: (_object, at) => at,
  kvGet: (_key, value) => value,
  fetch: () => 'make',
  waitsForDisk: () => true,
  clock: (now) => now,
};
