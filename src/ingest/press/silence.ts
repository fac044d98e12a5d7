import { BY_HAND } from '../../config/compile-silences.ts';
import { hoursBegin, hoursOf } from '../../config/hours.ts';
import { registry } from '../../config/registry-client.ts';
import { parseDuration } from '../../lib/duration.ts';
import { iso } from '../../lib/iso.ts';
import { log } from '../../lib/log.ts';
import { announce } from '../../outbox/announce.ts';
import { goesOn } from '../../outbox/state/states.ts';
import { personOf, whoIs } from './person.ts';
import type { Press } from './press-context.ts';

/**
 * Silences the incidents that the pressed message shows as open. Further presses, by anyone, make the same silence, so
 * that a press that was not stored can be repeated. False if it could not be added. Other actions silence nothing.
 */
export async function silenceIncidents(press: Press): Promise<boolean> {
  const { env, config, view, now } = press;
  const end = silencedUntil(press);
  if (end === null) return true;
  const { source, route, link, incidents } = view;
  const keys = incidents.flatMap(({ key, state }) => (goesOn(state) ? [key] : []));
  if (keys.length === 0) return false;
  const by = whoIs(personOf(press));
  const document = { of: { source, route, keys }, until: iso(end), reason: link.label ?? link.id };
  const added = await registry(env).addSilence(document, by, now, silenceId(view));
  if (added === null) return false;
  await announce(env, config, added.published);
  log('info', 'silence.added', { silence: added.part.id, by });
  return true;
}

/** Ends the silence of a press that is taken back. */
export async function endSilence(press: Press): Promise<void> {
  const { env, config, view, now } = press;
  if (lengthOf(press) === null) return;
  const id = silenceId(view);
  const ended = await registry(env).endSilence(id, now);
  if (ended === null || ended === 'over') return;
  await announce(env, config, ended.published);
  log('info', 'silence.ended', { silence: id, by: ended.part.by });
}

/** Returns the end of the silence that a press adds (ms); null if it adds none. */
export function silencedUntil(press: Press): number | null {
  const length = lengthOf(press);
  return length === null ? null : silenceEnd(length, press.source.locale.timezone, press.now);
}

const lengthOf = ({ source, view }: Press): string | null =>
  source.routes.find(({ name }) => name === view.route)?.actions.find(({ id }) => id === view.link.id)
    ?.silence ?? null;

/** Named after the question, so nobody else can make the same id. */
const silenceId = ({ question }: Press['view']): string => BY_HAND + question.replace('press:', '');

/** Returns the end of a silence that begins now: after a duration, or when the clock reaches a time. All in ms. */
export function silenceEnd(length: string, timezone: string, now: number): number {
  const duration = parseDuration(length);
  if (duration.ok) return now + duration.value;
  const to = length < '12:00' ? '12:00' : '24:00';
  return hoursBegin(hoursOf({ from: length, to }, timezone), now);
}
