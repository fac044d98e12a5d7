/** Fills an outbox as an hour of N claims does: with the relay's own code, in the relay's own store. */
import { DurableObject } from 'cloudflare:workers';
import { restoreCounters } from '../../src/outbox/counters/restore.ts';
import { Checkpoint } from '../../src/outbox/send/checkpoint.ts';
import { openStore } from '../../src/lib/store.ts';
import { OUTBOX_STORE } from '../../src/outbox/state/schema.ts';
import { receiverNumber } from '../e2e/receivers.ts';

/** A request, as JSON. */
interface BusyHour {
  /** The number range of the claims that this call writes, one message each: from `from` on, up to `to`. */
  readonly from: number;
  readonly to: number;
  /** The first was made at this time (ms), each further one so much later. */
  readonly startAt: number;
  readonly everyMs: number;
  /** Every second message went to one of N receivers in turn, the others each to one of its own. */
  readonly receivers: number;
}

interface Env {
  readonly OUTBOX: DurableObjectNamespace<Outbox>;
}

/** Stands in for the relay's class of this name: the same folder of the store. */
export class Outbox extends DurableObject<Env> {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    openStore(ctx.storage, OUTBOX_STORE);
  }

  write({ from, to, startAt, everyMs, receivers }: BusyHour): void {
    const { storage } = this.ctx;
    const checkpoint = new Checkpoint(storage);
    const counters = restoreCounters(storage.sql, [], Date.now()).counters;
    storage.transactionSync(() => {
      for (let n = from; n < to; n += 1) {
        const at = Math.round(startAt + n * everyMs);
        const phone = n % 2 === 0 ? receiverNumber(1 + ((n / 2) % receivers)) : `4916${10_000_000 + n}`;
        const flight = [{ seq: n + 1, n: 1, at, phone }];
        checkpoint.write({ at, cursor: 0, tokens: 5, flight }, flight, counters);
      }
    });
  }
}

export default {
  fetch: async (request, { OUTBOX }) => {
    if (request.method === 'POST') await OUTBOX.getByName('default').write(await request.json<BusyHour>());
    return new Response('ok');
  },
} satisfies ExportedHandler<Env>;
