/** The relay at another moment: the same Worker, with the tests' clock below it. */
import './relay-date.ts';
import relay, { Outbox as RelayOutbox, Registry as RelayRegistry } from '../../src/index.ts';
import { shiftAlarms } from './shift.ts';

export class Outbox extends RelayOutbox {
  constructor(ctx: DurableObjectState, env: Env) {
    shiftAlarms(ctx.storage);
    super(ctx, env);
  }
}

export class Registry extends RelayRegistry {
  constructor(ctx: DurableObjectState, env: Env) {
    shiftAlarms(ctx.storage);
    super(ctx, env);
  }
}

export default relay;
