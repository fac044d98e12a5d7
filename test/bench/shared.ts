/** The cells of the memory that generator, gateway and bench share. */
export const CONTROL = {
  /** The run whose calls are counted. */
  run: 0,
  /** Different ids of it that the gateway was called with. */
  called: 1,
  /** The time that the gateway takes for each call, in ms. */
  answerAfterMs: 2,
  /** All calls, whatever they are of. */
  calls: 3,
} as const;

/** The times when each request of a run was sent and answered, and its gateway called (ms of one clock). 0: not yet. */
export interface Times {
  readonly control: Int32Array<SharedArrayBuffer>;
  readonly sent: Float64Array<SharedArrayBuffer>;
  readonly accepted: Float64Array<SharedArrayBuffer>;
  readonly called: Float64Array<SharedArrayBuffer>;
}

/** More than any run has. */
const MAX_EVENTS = 200_000;

const floats = (): Float64Array<SharedArrayBuffer> =>
  new Float64Array(new SharedArrayBuffer(MAX_EVENTS * Float64Array.BYTES_PER_ELEMENT));

export const newTimes = (): Times => ({
  control: new Int32Array(new SharedArrayBuffer(16)),
  sent: floats(),
  accepted: floats(),
  called: floats(),
});

/** One clock for all threads of a process, in ms. `performance.now()` begins anew in each. */
export function clock(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1_000 + nanoseconds / 1e6;
}

/** Builds, writes and parses a list: some milliseconds. Returns its length. */
export function fixedWork(): number {
  let length = 0;
  for (let round = 0; round < 20; round += 1) {
    const list = Array.from({ length: 500 }, (_, n) => ({ n, name: `item ${n}`, even: n % 2 === 0 }));
    const again: unknown = JSON.parse(JSON.stringify(list));
    length += Array.isArray(again) ? again.length : 0;
  }
  return length;
}
