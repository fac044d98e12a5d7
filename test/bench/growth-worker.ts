/** Fills an outbox as events do that were delivered long ago: by the relay's own statements, in the relay's own store. */
import { DurableObject } from 'cloudflare:workers';
import { insertClaim } from '../../src/outbox/accept/dedupe.ts';
import { insertEvent, insertMessages } from '../../src/outbox/accept/rows.ts';
import { Counters } from '../../src/outbox/counters/counters.ts';
import { newEventId, secureRandomBytes } from '../../src/lib/id.ts';
import { Checkpoint } from '../../src/outbox/send/checkpoint.ts';
import type { AcceptedEvent, DraftMessage } from '../../src/outbox/state/acceptance.ts';
import { claimKey } from '../../src/outbox/state/claim-key.ts';
import { openStore } from '../../src/lib/store.ts';
import { OUTBOX_STORE } from '../../src/outbox/state/schema.ts';
import { receiverNumber } from '../e2e/receivers.ts';

/** A request, as JSON: to write the events from number `from` up to `to`, or to make all of them wait or be sent. */
export type Filling =
  | { readonly from: number; readonly to: number; readonly startAt: number; readonly everyMs: number }
  | { readonly state: 'queued' | 'sent' };

interface Env {
  readonly OUTBOX: DurableObjectNamespace<Outbox>;
}

const DAY = 24 * 3_600_000;
const RECEIVERS = 640;
/** One in N is not sent for good, so that a filter by state finds some. */
const DEAD_EACH = 10_000;

/** Stands in for the relay's class of this name: the same folder of the store. */
export class Outbox extends DurableObject<Env> {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    openStore(ctx.storage, OUTBOX_STORE);
  }

  fill(filling: Filling): void {
    this.ctx.storage.transactionSync(() => {
      if ('state' in filling) this.#mark(filling.state);
      else this.#write(filling);
    });
  }

  #write({ from, to, startAt, everyMs }: Extract<Filling, { from: number }>): void {
    const { sql } = this.ctx.storage;
    for (let n = from; n < to; n += 1) {
      const now = Math.round(startAt + n * everyMs);
      const event = eventOf(n, now);
      const context = { sql, tag: '', now, nextSeq: n + 1 };
      insertEvent(context, event, 1, { itemKeys: [], items: '[]' });
      insertClaim(context, event, claimKey(event.source, event.dedupe?.key ?? ''), 3 * DAY);
      const { id, source, configVersion } = event;
      insertMessages(context, [draft(n)], { event: id, source, since: now, configVersion });
    }
    this.#mark('sent', from);
  }

  /** As the record of the one attempt does it. */
  #mark(state: 'queued' | 'sent', from = 0): void {
    const { sql } = this.ctx.storage;
    if (state === 'queued')
      sql.exec("UPDATE messages SET state = 'queued', attempts = '[]', sent_at = NULL WHERE state = 'sent'");
    else
      sql.exec(
        `UPDATE messages SET state = iif(seq % ${DEAD_EACH} = 500, 'dead', 'sent'), tries = 1, sent_at = created_at + 300,
           attempts = json_array(json_object('n', 1, 'at', created_at, 'duration_ms', 290, 'outcome', 'sent', 'http_status', 200, 'response', '{"success":true,"message":"ok","data":{"status_code":200}}'))
           WHERE seq > ?`,
        from,
      );
    const { last } = sql.exec<{ last: number }>('SELECT max(seq) AS last FROM messages').one();
    const counters = new Counters({ totals: {}, nextSeq: last + 1 });
    const progress = { at: Date.now(), cursor: state === 'queued' ? 0 : last, tokens: 5, flight: [] };
    new Checkpoint(this.ctx.storage).write(progress, [], counters);
  }
}

const PAYLOAD = JSON.stringify({ type: 'payment.succeeded', note: 'x'.repeat(250) });

/** With a random key, as providers make them. */
const eventOf = (n: number, receivedAt: number): AcceptedEvent => ({
  id: newEventId(receivedAt, secureRandomBytes),
  source: 'proof',
  type: 'payment.succeeded',
  state: 'routed',
  reason: null,
  receivedAt,
  dedupe: { key: `pay_${crypto.randomUUID()}_${n}`, windowMs: 3 * DAY },
  itemWindowMs: 0,
  signed: null,
  payload: PAYLOAD,
  headers: '{"content-type":"application/json"}',
  query: '{}',
  configVersion: 1,
  activation: 1,
  stored: true,
  replay: null,
});

const draft = (n: number): DraftMessage => ({
  route: 'paid',
  kind: 'text',
  phone: receiverNumber(n % RECEIVERS),
  params: { message: `Payment ${n} of 4900 EUR from Ada Lovelace` },
  delayMs: 0,
  expiresMs: null,
  onUncertain: 'retry',
  priority: 'normal',
  forget: false,
});

export default {
  fetch: async (request, { OUTBOX }) => {
    if (request.method === 'POST') await OUTBOX.getByName('default').fill(await request.json<Filling>());
    return new Response('ok');
  },
} satisfies ExportedHandler<Env>;
