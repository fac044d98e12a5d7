import { DurableObject } from 'cloudflare:workers';
import { DEFAULT_ACCOUNT } from '../config/account-policy.ts';
import type { AccountPolicy } from '../config/config.ts';
import { readCredentials } from '../config/credentials.ts';
import { loadConfig } from '../config/load.ts';
import type { Env } from '../env.ts';
import { secureRandomBytes } from '../lib/id.ts';
import { describeError, log } from '../lib/log.ts';
import type { Acceptance, DraftMessage, Receipt } from './acceptance.ts';
import { callGateway } from './call-gateway.ts';
import { commitAcceptance, insertMessages, type CommitContext } from './commit.ts';
import { Dispatch } from './dispatch.ts';
import { Meta } from './meta.ts';
import * as read from './read.ts';
import { migrate } from './schema.ts';
import { outboxStatus, type OutboxStatus } from './status.ts';
import type { EventSummary, MessageView, StoredEvent } from './views.ts';

/** An alarm that failed for a reason of its own (a broken read, a bug) is tried again after this, for ever. */
const ALARM_RETRY_MS = 30_000;

/**
 * The outbox of one account: takes events over durably, and sends their messages. The object's name is the account's.
 * What is written here is the truth; its alarm drives delivery, and nothing else does.
 */
export class Outbox extends DurableObject<Env> {
  readonly #meta: Meta;
  readonly #dispatch: Dispatch;
  #nextSeq: number;
  /** The time of the pending alarm; null when there is none or it is running. */
  #armedAt: number | null = null;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const { sql } = ctx.storage;
    migrate(ctx.storage);
    this.#meta = new Meta(sql, secureRandomBytes);
    this.#dispatch = new Dispatch({
      sql,
      meta: this.#meta,
      policy: () => this.#policy(),
      call: (message, timeoutMs) => callGateway(env, this.#account, message, timeoutMs),
      obstacle: () => {
        const credentials = readCredentials(env, this.#account);
        return credentials.ok ? null : credentials.error.join('; ');
      },
      clock: Date.now,
      random: Math.random,
      sleep: (ms) => scheduler.wait(ms),
    });
    const { last } = sql.exec<{ last: number | null }>('SELECT max(seq) AS last FROM messages').one();
    this.#nextSeq = Math.max(last ?? 0, this.#dispatch.cursor) + 1;
    void ctx.blockConcurrencyWhile(async () => {
      this.#armedAt = await ctx.storage.getAlarm();
    });
  }

  /**
   * Takes an event over: dedupe claim, event, messages and wake-up in one synchronous block, so that all of it is
   * committed or none. The platform holds the answer back until that commit is on disk.
   */
  accept(acceptance: Acceptance): Receipt {
    const context = this.#commitContext();
    const { receipt, queued } = this.ctx.storage.transactionSync(() => commitAcceptance(context, acceptance));
    this.#nextSeq += queued;
    if (queued > 0) this.#wake(context.now);
    return receipt;
  }

  /** Queues a message that no webhook asked for, and shows it. */
  send(message: DraftMessage, configVersion: number): MessageView | null {
    const context = this.#commitContext();
    const origin = { event: null, source: null, since: context.now, configVersion };
    const [id] = this.ctx.storage.transactionSync(() => insertMessages(context, [message], origin));
    this.#nextSeq += 1;
    this.#wake(context.now);
    return this.readMessage(id ?? '');
  }

  /** Never throws: the platform gives an alarm up after a few failures, and then nothing would be sent. */
  override async alarm(): Promise<void> {
    this.#armedAt = null;
    try {
      if (!this.#dispatch.running) await this.#dispatch.run();
      this.#armFor(this.#dispatch.nextRunAt(await this.#policy()));
    } catch (thrown) {
      log('error', 'outbox.alarm.failed', { account: this.#account, error: describeError(thrown) });
      this.#armFor(Date.now() + ALARM_RETRY_MS);
    }
  }

  listEvents(filter: read.EventFilter): read.Page<EventSummary> {
    return read.listEvents(this.#readContext, filter);
  }

  readEvent(id: string): StoredEvent | null {
    return read.readEvent(this.#readContext, id);
  }

  listMessages(filter: read.MessageFilter): read.Page<MessageView> {
    return read.listMessages(this.#readContext, filter);
  }

  readMessage(id: string): MessageView | null {
    return read.readMessage(this.#readContext, id);
  }

  async status(): Promise<OutboxStatus> {
    return outboxStatus(this.#readContext, this.#meta, await this.#policy(), Date.now());
  }

  /** Holds all messages back until {@link resume}. `by`: who asked. */
  pause(by: string, reason: string): void {
    this.#meta.pause = { at: Date.now(), by, reason };
  }

  /** Ends a pause, whoever made it. */
  resume(): void {
    this.#meta.pause = null;
    this.#wake(Date.now());
  }

  get #account(): string {
    const { name } = this.ctx.id;
    if (name === undefined) throw new Error('an outbox is only ever reached by its account’s name');
    return name;
  }

  get #readContext(): read.ReadContext {
    return {
      sql: this.ctx.storage.sql,
      tag: this.#meta.tag,
      account: this.#account,
      dispatch: this.#dispatch,
    };
  }

  #commitContext(): CommitContext {
    return { sql: this.ctx.storage.sql, tag: this.#meta.tag, now: Date.now(), nextSeq: this.#nextSeq };
  }

  async #policy(): Promise<AccountPolicy> {
    const config = await loadConfig(this.env.CONFIG, Date.now());
    return config.accounts.get(this.#account) ?? DEFAULT_ACCOUNT;
  }

  /** There is more to send: tells the run under way, and makes sure that an alarm stands even if it dies. */
  #wake(now: number): void {
    if (this.#dispatch.running) this.#dispatch.notify();
    this.#armFor(now);
  }

  /** Only ever moves the alarm to an earlier time: each `setAlarm` is a row written. */
  #armFor(at: number | null): void {
    if (at === null || (this.#armedAt !== null && this.#armedAt <= at)) return;
    this.#armedAt = at;
    // Not awaited: the write is part of the surrounding commit, which the platform's output gate waits for.
    void this.ctx.storage.setAlarm(at);
  }
}
