import type { WorldHost } from './host.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Admins silence the warnings of an incident, for hours: once it is critical, its receivers are notified. */
export async function silenceWarnings({ simulation, random, relay, alerts, plan }: WorldHost): Promise<void> {
  const end = simulation.startedAt + simulation.duration;
  for (;;) {
    await simulation.sleep(random.next() * 4 * HOUR_MS);
    if (simulation.now() >= end) return;
    // Mostly one that is open: it may be critical before the silence ends.
    const open = plan.keys.filter((one) => alerts.changes.openSince(one, simulation.now()) !== null);
    const key = random.pick(open.length > 0 && random.chance(0.8) ? open : plan.keys);
    const until = Math.floor(Math.min(simulation.now() + random.int(3, 9) * HOUR_MS, end));
    if (!simulation.decide('deed.silence-warnings')) continue;
    simulation.trace({ who: 'admin', what: 'silence warnings', detail: { key } });
    const { status } = await relay.insist('POST', '/silences', {
      when: `item.key == "${key}" and item.severity == "warning"`,
      until: new Date(until).toISOString(),
      reason: 'known',
    });
    if (status < 300) alerts.holds.silenced(key, simulation.now(), until - MINUTE_MS, true);
  }
}
