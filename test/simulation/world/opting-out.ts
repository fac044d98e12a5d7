import type { OptOut } from '../model/opt-outs.ts';
import type { WorldHost } from './host.ts';
import type { Opting } from './opting.ts';
import { CREW, CUSTOMERS, ON_CALL } from './plan.ts';

/** Receivers who may opt out. Those on call get alerts, and stay. */
const RECEIVERS = [...CUSTOMERS, ...CREW].filter((phone) => !ON_CALL.some((one) => one === phone));

/** Admins write down who wants no messages, and who wants them again. */
export async function optOutAndIn(
  { simulation, random, relay, optOuts }: WorldHost,
  { everyMs }: Opting,
): Promise<void> {
  const end = simulation.startedAt + simulation.duration;
  const out = new Map<string, OptOut>();
  for (;;) {
    await simulation.sleep(random.next() * 2 * everyMs);
    if (simulation.now() >= end) return;
    const phone = random.pick(RECEIVERS);
    const one = out.get(phone);
    if (!simulation.decide('deed.opt')) continue;
    simulation.count('opt-outs');
    simulation.trace({ who: 'admin', what: one === undefined ? 'opt out' : 'opt in', detail: { phone } });
    if (one === undefined) {
      const begun = optOuts.begins(phone, simulation.now());
      out.set(phone, begun);
      await relay.insist('PUT', `/suppressions/${phone}`, { reason: 'wants no more' });
      begun.addedAt = simulation.now();
    } else {
      out.delete(phone);
      one.endsFrom = simulation.now();
      await relay.insist('DELETE', `/suppressions/${phone}`);
      one.endedAt = simulation.now();
    }
  }
}
