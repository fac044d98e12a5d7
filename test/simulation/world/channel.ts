import type { OwnerModel } from '../model/owner.ts';
import type { OutsideAnswer, Random, Simulation } from '../simulation.ts';
import { CHANNEL } from './plan.ts';
import { field } from './relay.ts';

const MINUTE_MS = 60_000;

/** The owner's channel, which fails now and then. Platform faults are noted as they come: what it is owed may then be late. */
export function channelOf(simulation: Simulation, random: Random, owner: OwnerModel): void {
  simulation.outside(CHANNEL, ({ body, at }): OutsideAnswer => {
    const fails = !simulation.isCalm && random.chance(0.05);
    if (fails) owner.disturbed(at);
    const said: unknown = JSON.parse(body);
    const kind = field(said, 'kind');
    if (kind === 'message.escaped') owner.escaped(String(field(said, 'text')), at, !fails);
    else if ((kind === 'source.silent' || kind === 'source.back') && !fails) {
      const silentAt = Date.parse(String(field(said, 'at')));
      const setBackMs = simulation.clockOffMs(silentAt - owner.rules.heartbeatMs);
      owner.silence(silentAt, kind === 'source.back', setBackMs);
    }
    simulation.count('owner');
    return { kind: 'answer', response: new Response(null, { status: fails ? 500 : 200 }), afterMs: 50 };
  });
  simulation.spawn('watches faults', async () => {
    while (!simulation.isCalm) {
      await simulation.sleep(MINUTE_MS);
      if (simulation.faultAt() > simulation.now() - MINUTE_MS) owner.disturbed(simulation.now());
    }
  });
}
