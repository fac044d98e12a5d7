/** Fills an outbox by the relay's own statements, in the relay's own store: as many events or calls as it would take days to make. */
import { DurableObject } from 'cloudflare:workers';
import { claimOwn } from '../../src/outbox/accept/dedupe.ts';
import { insertEvent, insertMessages } from '../../src/outbox/accept/rows.ts';
import { Counters, restoreCounters } from '../../src/outbox/counters/counters.ts';
import { Checkpoint } from '../../src/outbox/send/claims.ts';
import { openStore } from '../../src/lib/store.ts';
import { OUTBOX_STORE } from '../../src/outbox/state/schema.ts';
import { receiverNumber } from '../e2e/receivers.ts';
import { draftSample, eventSample } from '../outbox/samples.ts';

/** The numbers `from` up to `to`: the first was made at `startAt` (ms), each further one so much later. */
interface Portion {
  readonly from: number;
  readonly to: number;
  readonly startAt: number;
  readonly everyMs: number;
}

/**
 * A request, as JSON: to write events that were delivered long ago; to make all of them wait or be sent; or to write calls, of which every
 * second went to one of `receivers` in turn, the others each to a receiver of its own.
 */
export type Filling = (Portion & { readonly receivers?: number }) | { readonly state: 'queued' | 'sent' };

interface Env {
  readonly OUTBOX: DurableObjectNamespace<Outbox>;
}

const RECEIVERS = 640;
const DAY = 24 * 3_600_000;
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
      else if (filling.receivers === undefined) this.#writeEvents(filling);
      else this.#writeCalls(filling, filling.receivers);
    });
  }

  #writeEvents({ from, to, startAt, everyMs }: Portion): void {
    const { sql } = this.ctx.storage;
    const payload = JSON.stringify({ type: 'payment.succeeded', note: 'x'.repeat(250) });
    for (let n = from; n < to; n += 1) {
      const now = Math.round(startAt + n * everyMs);
      // With a random key, as providers make them.
      const key = `pay_${crypto.randomUUID()}_${n}`;
      const dedupe = { key, windowMs: 3 * DAY };
      const event = eventSample(now, { source: 'proof', type: 'payment.succeeded', dedupe, payload });
      const context = { sql, tag: '', now, nextSeq: n + 1 };
      insertEvent(context, event, 1, { itemKeys: [], items: '[]' });
      claimOwn(context, event);
      const { id, source, configVersion } = event;
      const draft = draftSample({
        route: 'paid',
        phone: receiverNumber(n % RECEIVERS),
        params: { message: `Payment ${n} of 4900 EUR from Ada Lovelace` },
      });
      insertMessages(context, [draft], { event: id, source, since: now, configVersion });
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
    const counters = new Counters();
    const progress = { at: Date.now(), cursor: state === 'queued' ? 0 : last, tokens: 5, flight: [] };
    new Checkpoint(this.ctx.storage).write(progress, [], counters);
  }

  #writeCalls({ from, to, startAt, everyMs }: Portion, receivers: number): void {
    const { storage } = this.ctx;
    const checkpoint = new Checkpoint(storage);
    const { counters } = restoreCounters(storage.sql, checkpoint.last ?? {});
    for (let n = from; n < to; n += 1) {
      const at = Math.round(startAt + n * everyMs);
      const phone = n % 2 === 0 ? receiverNumber(1 + ((n / 2) % receivers)) : `4916${10_000_000 + n}`;
      const flight = [{ seq: n + 1, n: 1, at, phone, standing: 'signed' as const }];
      checkpoint.write({ at, cursor: 0, tokens: 5, flight }, flight, counters);
    }
  }
}

export default {
  fetch: async (request, { OUTBOX }) => {
    if (request.method === 'POST') await OUTBOX.getByName('default').fill(await request.json<Filling>());
    return new Response('ok');
  },
} satisfies ExportedHandler<Env>;
