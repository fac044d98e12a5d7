import type { Route } from '../../config/config.ts';
import type { Look } from './context.ts';
import type { Entry, Subscriber } from './entries.ts';
import { joined, resolve } from './incident.ts';
import { copyIncident, readIncident } from './store.ts';

/**
 * After a publish: an incident whose route is gone is resolved, and those who were notified of it are notified of that. Who joins a list
 * is notified of what is open. Who left it and was notified of nothing is not waited for.
 */
export function lookAtReceivers(look: Look): void {
  for (const subscriber of look.open.subscribers.values()) lookAtSubscriber(look, subscriber);
  for (const entries of look.open.all()) lookAtIncident(look, entries);
}

function lookAtSubscriber(look: Look, subscriber: Subscriber): void {
  const { route, isReceiver } = look.rulesFor(subscriber);
  const isWatched = route !== null && route.alerting?.incident !== null;
  if (isWatched && isReceiver) return;
  for (const entry of subscriber.entries.values()) {
    const { incident, held } = entry;
    if (incident.isLone || incident.resolvedAt !== null) continue;
    if (isWatched && incident.believed !== 'closed') continue;
    const why = isReceiver ? held : { why: 'left' as const, by: '' };
    look.set(entry, resolve(incident, null, why, look.now));
  }
}

/** An incident that is open for some receivers is open for those, too, who joined their list. */
function lookAtIncident(look: Look, entries: ReadonlySet<Entry>): void {
  const open = [...entries].find(({ incident }) => incident.resolvedAt === null);
  if (open === undefined) return;
  const { route } = look.rulesFor(open.group.subscriber);
  const incident = route?.alerting?.incident ?? null;
  if (route === null || incident === null) return;
  const known = new Set([...entries].map(({ ref }) => ref.phone));
  for (const phone of numbersOf(route)) if (!known.has(phone)) join(look, open, phone);
}

const numbersOf = ({ to }: Route): readonly string[] => [
  ...new Set(to.flatMap((one) => (one.from === 'document' ? one.numbers : []))),
];

function join(look: Look, { ref: from, incident: others, grouping }: Entry, phone: string): void {
  const { open, sql, now, beyond } = look;
  const ref = { ...from, phone };
  if (!open.hasRoomFor(ref)) return beyond.add({ ...ref, keys: [ref.key] }, now);
  const incident = joined(readIncident(sql, ref), others);
  copyIncident(sql, from, ref, incident);
  // The incidents that were open then are one message.
  const subscriber = open.subscriber(ref);
  if (subscriber.held === null)
    look.setSubscriber(subscriber, { held: { since: now, until: null, as: 'digest', by: 'joined' } });
  open.put(ref, incident, grouping, now);
}
