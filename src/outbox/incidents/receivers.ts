import type { Route } from '../../config/config.ts';
import { hasRoomFor } from './bounds.ts';
import { changed, type Change, type Look } from './context.ts';
import { nameOf, type Entry, type Subscriber } from './entries.ts';
import { joined, resolve } from './incident.ts';
import { copyIncident, readIncident, writeSubscriber } from './store.ts';

/**
 * After a publish: an incident whose route is gone is resolved, and those who were notified of it are notified of that. Who joins a list
 * is notified of what is open. Who left it and was notified of nothing is not waited for.
 */
export function lookAtReceivers(look: Look): void {
  for (const subscriber of look.open.subscribers.values()) lookAtSubscriber(look, subscriber);
  for (const [, entries] of look.open.all()) lookAtIncident(look, entries);
}

function lookAtSubscriber(look: Look, subscriber: Subscriber): void {
  const { route, isReceiver } = look.rulesFor(subscriber);
  const isWatched = route !== null && route.alerting?.incident !== null;
  if (isWatched && isReceiver) return;
  const changes: Change[] = [];
  for (const group of subscriber.groups.values())
    for (const entry of group.entries.values()) {
      const { incident, held } = entry;
      if (incident.isLone || incident.resolvedAt !== null) continue;
      if (isWatched && incident.believed !== 'closed') continue;
      const why = isReceiver ? held : { why: 'left' as const, by: '' };
      changes.push(changed(entry, resolve(incident, null, why, look.now)));
    }
  look.write(changes);
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
  if (!hasRoomFor(open, ref)) return beyond.add({ ...ref, keys: [ref.key] }, now);
  const incident = joined(readIncident(sql, ref), others);
  const subscriber = open.subscriber(ref);
  // What was open then is one message.
  const held = subscriber.held ?? ({ since: now, until: null, as: 'digest', by: 'joined' } as const);
  look.deps.storage.transactionSync(() => {
    copyIncident(sql, from, ref, incident);
    if (subscriber.held === null) writeSubscriber(sql, { ...subscriber, held });
  });
  subscriber.held = held;
  open.put(ref, incident, grouping, now);
}

/** Whether somebody's incident is open, by its name. */
export const openEntriesOf = (look: Pick<Look, 'open'>, of: Parameters<typeof nameOf>[0]): readonly Entry[] =>
  look.open.entriesOf(nameOf(of)).filter(({ incident }) => incident.resolvedAt === null);
