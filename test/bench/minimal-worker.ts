import { DurableObject } from 'cloudflare:workers';
import { parseOwnJson } from '../../src/lib/json.ts';
import { receivePayment, sendText, type PaymentEnv, type PaymentMessage } from './payment-worker.ts';

interface Env extends PaymentEnv {
  readonly OUTBOX: DurableObjectNamespace<MinimalOutbox>;
}

/**
 * The minimal deliverer: what the guarantees of the relay cost when nothing can be configured. It accepts once and durably,
 * delivers each message at least once, each receiver's in order, with at most six calls in doubt at a crash. It is what the
 * relay is measured against.
 */
export default {
  async fetch(request, env) {
    if (request.method !== 'POST') return new Response('up');
    const message = await receivePayment(request, env);
    if (message === null) return new Response(null, { status: 401 });
    const duplicate = await env.OUTBOX.getByName('default').accept(message);
    return Response.json({ event: message.id, duplicate }, { status: 202 });
  },
} satisfies ExportedHandler<Env>;

interface Message extends Record<string, SqlStorageValue> {
  seq: number;
  phone: string;
  text: string;
  /** JSON. */
  attempts: string;
}

interface Arrival {
  readonly payment: PaymentMessage;
  readonly resolve: (duplicate: boolean) => void;
}

interface Flight {
  readonly message: Message;
  readonly startedAt: number;
  readonly abort: AbortController;
}

const MAX_IN_FLIGHT = 6;
const MAX_IN_MEMORY = 10_000;
const TIMEOUT_MS = 30_000;
const RETRY_MS = 1_000;

/** The memory is the queue, the disk is the log. */
export class MinimalOutbox extends DurableObject<Env> {
  #arrivals: Arrival[] = [];
  #ended: { readonly message: Message; readonly isSent: boolean }[] = [];
  readonly #flying = new Map<number, Flight>();
  /**
   * The messages that may be sent now. In `#lanes`, by receiver, those that wait for their turn. A receiver with an
   * entry is taken.
   */
  readonly #ready: Message[] = [];
  readonly #lanes = new Map<string, Message[]>();
  /** All in memory; the last that ever was, and whether there are more on disk. */
  #held = 0;
  #lastSeq = 0;
  #isMore = true;
  #isTurning = false;
  #isAlarmSet = false;
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const { sql } = ctx.storage;
    sql.exec('CREATE TABLE IF NOT EXISTS events (id TEXT PRIMARY KEY, body TEXT, at INTEGER) WITHOUT ROWID');
    sql.exec(`CREATE TABLE IF NOT EXISTS messages
      (seq INTEGER PRIMARY KEY, event TEXT, phone TEXT, text TEXT, sent INTEGER, attempts TEXT)`);
    sql.exec('CREATE TABLE IF NOT EXISTS claim (id INTEGER PRIMARY KEY, seqs TEXT)');
    void this.#turn();
  }

  /** Resolves when it is on disk; true: it was known. */
  accept(payment: PaymentMessage): Promise<boolean> {
    return new Promise((resolve) => {
      this.#arrivals.push({ payment, resolve });
      void this.#turn();
    });
  }

  /** The net: wakes an object that was stopped. While it lives, each commit starts what comes next. */
  override async alarm(): Promise<void> {
    this.#isAlarmSet = false;
    await this.#turn();
    if (this.#held > 0) this.#setAlarm();
  }

  #setAlarm(): void {
    if (this.#isAlarmSet) return;
    this.#isAlarmSet = true;
    void this.ctx.storage.setAlarm(Date.now() + TIMEOUT_MS);
  }

  /** One commit and one flush for all that came, all that ended, and all that may go next; then the calls. */
  async #turn(): Promise<void> {
    if (this.#isTurning) return;
    this.#isTurning = true;
    try {
      this.#refill();
      while (this.#arrivals.length + this.#ended.length > 0 || this.#canStart()) {
        const arrivals = this.#arrivals.splice(0);
        const { answers, started } = this.ctx.storage.transactionSync(() => this.#commit(arrivals));
        await this.ctx.storage.sync();
        for (const [index, { resolve }] of arrivals.entries()) resolve(answers[index] ?? false);
        for (const flight of started) void this.#call(flight);
        this.#refill();
      }
      this.#isTurning = false;
    } catch (thrown) {
      // Memory and disk may differ now: the next instance reads the disk.
      this.ctx.abort(String(thrown));
    }
  }

  #commit(arrivals: readonly Arrival[]): {
    readonly answers: boolean[];
    readonly started: readonly Flight[];
  } {
    const { sql } = this.ctx.storage;
    const ended = this.#ended.splice(0);
    for (const { message, isSent } of ended) {
      const { seq, attempts } = message;
      sql.exec('UPDATE messages SET sent = ?, attempts = ? WHERE seq = ?', isSent ? 1 : 0, attempts, seq);
      this.#flying.delete(seq);
      if (isSent) this.#release(message);
      else setTimeout(() => (this.#ready.push(message), void this.#turn()), RETRY_MS);
    }
    // The messages that start now are claimed in the commit that follows.
    const started: Flight[] = [];
    while (this.#canStart()) {
      const message = this.#ready.shift();
      if (message === undefined) break;
      const flight = { message, startedAt: Date.now(), abort: new AbortController() };
      this.#flying.set(message.seq, flight);
      started.push(flight);
    }
    if (started.length > 0)
      sql.exec('INSERT OR REPLACE INTO claim VALUES (1, ?)', JSON.stringify([...this.#flying.keys()]));
    const answers = arrivals.map(({ payment: { id, phone, text, body } }) => {
      const claim = 'INSERT INTO events VALUES (?, ?, ?) ON CONFLICT DO NOTHING';
      if (sql.exec(claim, id, body, Date.now()).rowsWritten === 0) return true;
      const insert = 'INSERT INTO messages (event, phone, text, sent, attempts) VALUES (?, ?, ?, 0, ?)';
      sql.exec(insert, id, phone, text, '[]');
      const { seq } = sql.exec<{ seq: number }>('SELECT last_insert_rowid() AS seq').one();
      if (this.#held < MAX_IN_MEMORY && !this.#isMore) this.#queue({ seq, phone, text, attempts: '[]' });
      else this.#isMore = true;
      return false;
    });
    this.#setAlarm();
    return { answers, started };
  }

  #canStart(): boolean {
    return this.#ready.length > 0 && this.#flying.size < MAX_IN_FLIGHT;
  }

  #queue(message: Message): void {
    this.#held += 1;
    this.#lastSeq = message.seq;
    const lane = this.#lanes.get(message.phone);
    if (lane !== undefined) lane.push(message);
    else {
      this.#lanes.set(message.phone, []);
      this.#ready.push(message);
    }
  }

  #release({ phone }: Message): void {
    this.#held -= 1;
    const next = this.#lanes.get(phone)?.shift();
    if (next === undefined) this.#lanes.delete(phone);
    else this.#ready.push(next);
  }

  /** After a start, and after more came than is kept in memory. */
  #refill(): void {
    if (!this.#isMore || this.#held > 0) return;
    const waiting = this.ctx.storage.sql
      .exec<Message>(
        `SELECT seq, phone, text, attempts FROM messages WHERE sent = 0 AND seq > ? ORDER BY seq LIMIT ${MAX_IN_MEMORY}`,
        this.#lastSeq,
      )
      .toArray();
    this.#isMore = waiting.length === MAX_IN_MEMORY;
    for (const message of waiting) this.#queue(message);
  }

  async #call({ message, startedAt, abort }: Flight): Promise<void> {
    if (this.#timer === null) this.#timer = setTimeout(() => this.#timeOut(), TIMEOUT_MS);
    let isSent = false;
    let answer = '';
    try {
      const response = await sendText(message, this.env, abort.signal);
      answer = await response.text();
      isSent = response.ok && parseOwnJson<{ success?: boolean }>(answer).success === true;
    } catch (thrown) {
      answer ||= String(thrown);
    }
    const attempt = {
      at: startedAt,
      ms: Date.now() - startedAt,
      sent: isSent,
      answer: answer.slice(0, 1_024),
    };
    const attempts = JSON.stringify([...parseOwnJson<object[]>(message.attempts), attempt]);
    this.#ended.push({ message: { ...message, attempts }, isSent });
    void this.#turn();
  }

  /** One timer for all calls. */
  #timeOut(): void {
    const late = Date.now() - TIMEOUT_MS;
    for (const { startedAt, abort } of this.#flying.values()) if (startedAt <= late) abort.abort();
    this.#timer = this.#flying.size > 0 ? setTimeout(() => this.#timeOut(), TIMEOUT_MS) : null;
  }
}
