import type { Look } from './context.ts';
import type { Group } from './entries.ts';
import { holdBack } from './hold-back.ts';
import { lookAtGroup } from './look-at-group.ts';
import { notify } from './notify.ts';
import { summarize } from './summarize.ts';

/** Notifies of all that is due. */
export function lookAtDue(look: Look): void {
  const { open, now } = look;
  // What ends here may let others be notified. What is held back is known also where nobody is notified now: what is resolved in
  // quiet hours and was silenced was not missed.
  for (let groups: readonly Group[] | null = null; groups === null || groups.length > 0;) {
    holdBack(look, open.heldBack.takeUnchecked());
    groups = open.groupTimes.take(now);
    for (const group of groups) lookAtGroup(look, group);
  }
  for (const subscriber of open.subscriberTimes.take(now)) {
    notify(look, subscriber);
    open.subscribers.forgetIdle(subscriber);
  }
  summarize(look);
}
