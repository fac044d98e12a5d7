import { BY_HAND } from '../../config/compile/silences.ts';
import { isSilence } from '../../config/compile/actions.ts';
import { hoursBegin, hoursOf } from '../../config/compiled/hours.ts';
import { registry } from '../../config/registry-client.ts';
import { silencedText } from '../../config/compiled/silenced-text.ts';
import { parseDuration } from '../../lib/duration.ts';
import { iso } from '../../lib/iso.ts';
import { log } from '../../lib/log.ts';
import { maskNumbers } from '../../lib/mask-numbers.ts';
import { announce } from '../../outbox/announce.ts';
import { goesOn } from '../../outbox/state/states.ts';
import { personOf, whoIs } from './person.ts';
import { shownTime, type Words } from './page.ts';
import type { Press } from './press-context.ts';
import { filled } from './texts.ts';

/**
 * Silences the incidents that the pressed message shows as open. Further presses, by anyone, make the same silence, so
 * that a press that was not stored can be repeated. `full`: there are too many silences. Other actions silence nothing.
 */
export async function silenceIncidents(press: Press): Promise<'full' | null> {
  const { env, config, view, now } = press;
  const end = silencedUntil(press);
  if (end === null) return null;
  const { source, route, link, incidents } = view;
  const keys = incidents.flatMap(({ key, state }) => (goesOn(state) ? [key] : []));
  if (keys.length === 0) return null;
  const by = whoIs(personOf(press));
  const document = { of: { source, route, keys }, until: iso(end), reason: link.label ?? link.id };
  const added = await registry(env).addSilence(document, by, now, silenceId(view));
  if (added === null) return 'full';
  await announce(env, config, added.published);
  log('info', 'silence.added', { silence: added.part.id, by });
  return null;
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

/** What the press of a link silences, and until when, in words; null if it silences nothing, or that has ended. */
export async function silencedBy(
  { env, view, now }: Pick<Press, 'env' | 'view' | 'now'>,
  { locale, texts }: Words,
): Promise<string | null> {
  const { pressed } = view;
  if (pressed === null || !isSilence(pressed.action)) return null;
  const silence = await registry(env).findSilence(silenceId(view), now);
  if (silence === null) return null;
  const more = (count: number): string => filled(texts.more, { count: String(count) });
  const what = maskNumbers(silencedText(silence.document, more));
  return filled(texts.silenced, { what, when: shownTime(Date.parse(silence.document.until), locale) });
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
