/**
 * The relay, with its operations counted as the platform bills them: the same Worker and the same objects. `GET /__counts` gives
 * the sums since the start.
 */
import relay, { Outbox as RelayOutbox, Registry as RelayRegistry } from '../clock/relay.ts';
import { shiftAlarms } from '../clock/shift.ts';
import { counted } from '../platform-calls.ts';
import { countsBy, type Counts, type StatementCounts } from './counts.ts';

const counts: Counts = countsBy(() => 0);

type Cursor = Pick<SqlStorageCursor<Record<string, SqlStorageValue>>, 'rowsRead' | 'rowsWritten'>;

/** A cursor's rows are known when it was read to its end: they are added up when somebody asks. */
let cursors: { readonly query: string; readonly cursor: Cursor }[] = [];
const statements = new Map<string, StatementCounts>();

/** The number of things that keep an outbox awake now: calls of it, its alarm, its calls of others, its timers. */
let awake = 0;
let awakeSince = 0;

function begin(): () => void {
  if (awake === 0) awakeSince = Date.now();
  awake += 1;
  let isOver = false;
  return () => {
    if (isOver) return;
    isOver = true;
    awake -= 1;
    if (awake === 0) counts.awakeMs += Date.now() - awakeSince;
  };
}

const during = async <Answer>(work: () => Answer | Promise<Answer>): Promise<Answer> => {
  const end = begin();
  try {
    return await work();
  } finally {
    end();
  }
};

const { fetch: realFetch, setTimeout: realTimeout, clearTimeout: realClear } = globalThis;
globalThis.fetch = (input, init) => {
  counts.gatewayCalls += 1;
  return during(() => realFetch(input, init));
};

const timers = new Map<unknown, () => void>();
const setTimer = (work: (...args: unknown[]) => void, ms?: number, ...args: unknown[]): unknown => {
  const end = begin();
  const timer: unknown = Reflect.apply(realTimeout, globalThis, [
    () => {
      timers.delete(timer);
      end();
      work(...args);
    },
    ms,
  ]);
  timers.set(timer, end);
  return timer;
};
const clearTimer = (timer: unknown): void => {
  timers.get(timer)?.();
  timers.delete(timer);
  Reflect.apply(realClear, globalThis, [timer]);
};
Object.assign(globalThis, { setTimeout: setTimer, clearTimeout: clearTimer });

function countStorage(storage: DurableObjectStorage): void {
  const { sql } = storage;
  const exec = sql.exec.bind(sql);
  sql.exec = <Row extends Record<string, SqlStorageValue>>(query: string, ...values: unknown[]) => {
    const cursor = exec<Row>(query, ...values);
    counts.statements += 1;
    cursors.push({ query, cursor });
    return cursor;
  };
  const [sync, setAlarm] = [storage.sync.bind(storage), storage.setAlarm.bind(storage)];
  storage.sync = () => {
    counts.syncs += 1;
    return sync();
  };
  storage.setAlarm = (at, options) => {
    counts.alarmsSet += 1;
    return setAlarm(at, options);
  };
}

const countEnv = (env: Env): Env => ({
  ...env,
  CONFIG: counted(env.CONFIG, () => (counts.kvReads += 1)),
  OUTBOX: counted(env.OUTBOX, () => (counts.outboxCalls += 1), true),
  REGISTRY: counted(env.REGISTRY, () => (counts.registryCalls += 1), true),
});

export class Outbox extends RelayOutbox {
  constructor(ctx: DurableObjectState, env: Env) {
    // Below what counts: the methods are taken as they are now.
    shiftAlarms(ctx.storage);
    countStorage(ctx.storage);
    super(ctx, countEnv(env));
  }

  override accept(...args: Parameters<RelayOutbox['accept']>): ReturnType<RelayOutbox['accept']> {
    return during(() => super.accept(...args));
  }

  override alarm(): Promise<void> {
    counts.alarms += 1;
    return during(() => super.alarm());
  }
}

export class Registry extends RelayRegistry {}

/** One for all requests: what is read from KV is remembered by its binding. */
let env: Env | null = null;

export default {
  fetch: (request, bindings, ctx) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/__counts') return Response.json(read());
    if (pathname.startsWith('/hooks/')) counts.requests += 1;
    return relay.fetch(request, (env ??= countEnv(bindings)), ctx);
  },
} satisfies ExportedHandler<Env>;

function read(): Counts & { readonly byStatement: readonly StatementCounts[] } {
  const read = cursors;
  cursors = [];
  for (const { query, cursor } of read) {
    const { rowsRead, rowsWritten } = cursor;
    counts.rowsRead += rowsRead;
    counts.rowsWritten += rowsWritten;
    const one = statements.get(query) ?? { query, times: 0, rowsRead: 0, rowsWritten: 0 };
    statements.set(query, one);
    one.times += 1;
    one.rowsRead += rowsRead;
    one.rowsWritten += rowsWritten;
  }
  const now = awake > 0 ? Date.now() - awakeSince : 0;
  return { ...counts, awakeMs: counts.awakeMs + now, byStatement: [...statements.values()] };
}
