import { START } from '../../config/compile/actions.ts';
import { registry } from '../../config/registry-client.ts';
import { log } from '../../lib/log.ts';
import { announce } from '../../outbox/announce.ts';
import type { LinkView } from '../../outbox/links/read-link.ts';
import type { Suppression } from '../../registry/api-suppression.ts';
import { personOf, whoIs } from './person.ts';
import type { Press } from './press-context.ts';
import { takePress } from './take-press.ts';

/**
 * Opts the receiver out, and then makes an event of the press. Another press makes the same event. False if it could
 * not be stored.
 */
export async function stop(press: Press): Promise<boolean> {
  const { env, config, view, now } = press;
  const { phone, message, link } = view;
  if (phone === null) return false;
  const by = whoIs(personOf(press));
  const added = await registry(env).suppress({ phone, by, reason: link.label ?? link.id, message }, now);
  if (added === null) return false;
  await announce(env, config, added.published);
  log('info', 'suppression.added', { phone, by });
  return takePress({ ...press, view: asked(view, added.part) });
}

/**
 * Opts the receiver in again, which makes an event as well. False if the event could not be stored; the receiver then
 * stays opted out. The time from which they may (ms) if they have done that too often.
 */
export async function start(press: Press): Promise<boolean | number> {
  const { env, config, view, now } = press;
  const removed = await registry(env).optIn(view.phone ?? '', now);
  if (removed === null) return true;
  if (typeof removed === 'number') return removed;
  await announce(env, config, removed.published);
  const { at, ...suppression } = removed.part;
  log('info', 'suppression.removed', { phone: suppression.phone, by: suppression.by });
  const link = { id: START, until: view.link.until };
  if (await takePress({ ...press, view: asked({ ...view, link }, removed.part) })) return true;
  const again = await registry(env).suppress(suppression, Math.min(now, Date.parse(at)));
  await announce(env, config, again?.published ?? null);
  return false;
}

/** Each opt-out of a receiver is a question of its own, and so is the opt-in that ends it. */
const asked = (view: LinkView, { at }: Suppression): LinkView => ({
  ...view,
  question: `${view.question}:${view.link.id}:${at}`,
});
