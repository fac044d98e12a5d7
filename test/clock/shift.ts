/** The clock that replaces the platform's in this isolate or process. */
interface Shift {
  readonly realNow: () => number;
  offsetMs: number;
  readonly alarms: WeakSet<object>;
}

/** On the global object: the module may be loaded more than once, the clock is one. */
const SHIFT = Symbol.for('hookbell.test-clock');
const place: typeof globalThis & { [SHIFT]?: Shift } = globalThis;

/** The real time in ms, whatever the tests' clock says. */
export const realNow = (): number => place[SHIFT]?.realNow() ?? Date.now();

/** The number of ms that the tests' clock is ahead of the real one here. */
export const clockOffset = (): number => place[SHIFT]?.offsetMs ?? 0;

/** Moves `Date` of this isolate or process: it goes on as fast as the real one, `offsetMs` ahead of it. */
export function shiftDate(offsetMs: number): void {
  if (place[SHIFT] !== undefined) place[SHIFT].offsetMs = offsetMs;
  else if (offsetMs !== 0) install(offsetMs);
}

function install(offsetMs: number): void {
  const RealDate = Date;
  const shift: Shift = { realNow: RealDate.now.bind(RealDate), offsetMs, alarms: new WeakSet() };
  const now = (): number => shift.realNow() + shift.offsetMs;
  place[SHIFT] = shift;
  RealDate.now = now;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args, newTarget): Date => {
      const date: unknown = Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget);
      if (date instanceof RealDate) return date;
      throw new Error('Date made no date');
    },
    apply: () => new RealDate(now()).toString(),
  });
}

/**
 * Moves the alarms of Durable Objects, which the platform rings by its own clock, with `Date`. Any object's storage will do:
 * the methods are shared.
 */
export function shiftAlarms(storage: DurableObjectStorage): void {
  const shift = place[SHIFT];
  const methods: unknown = Object.getPrototypeOf(storage);
  if (shift === undefined || !isAlarms(methods) || shift.alarms.has(methods)) return;
  shift.alarms.add(methods);
  const { setAlarm, getAlarm } = methods;
  methods.setAlarm = function (at, options) {
    return setAlarm.call(this, Number(at) - shift.offsetMs, options);
  };
  methods.getAlarm = async function (options) {
    const at = await getAlarm.call(this, options);
    return at === null ? null : at + shift.offsetMs;
  };
}

const isAlarms = (methods: unknown): methods is Pick<DurableObjectStorage, 'setAlarm' | 'getAlarm'> =>
  methods instanceof Object && 'setAlarm' in methods && 'getAlarm' in methods;
