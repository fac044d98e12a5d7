import type { Route } from '../../config/config.ts';
import { MESSAGE_KINDS } from '../../gateway/kinds.ts';
import { failure, placeOf } from '../../render/failure.ts';
import { renderReceivers } from '../../render/receivers.ts';
import { renderSends, withFallback } from '../../render/fallback.ts';
import type { Locale } from '../../template/basics/locale.ts';
import type { Scope } from '../../template/basics/scope.ts';
import { MAX_MESSAGES_PER_EVENT } from './allowance.ts';
import type { Rendered } from './route-result.ts';

/**
 * Renders a route once: its parameters, then its receivers. Failures are reported; the rest is sent. Receivers whose
 * messages would be more than `room` are left out.
 */
export function renderMessages(route: Route, scope: Scope, locale: Locale, room = Infinity): Rendered {
  const parts = renderSends(route, route.send, scope, locale);
  if (!parts.ok) return { messages: [], failures: parts.error };
  const { kind, sets, notes } = parts.value;
  const { phones, failures } = renderReceivers(route, scope, locale);
  const all: readonly (string | null)[] = MESSAGE_KINDS[kind].hasReceiver ? phones : [null];
  const receivers = all.slice(0, Math.floor(room / sets.length));
  const leftOut = (all.length - receivers.length) * sets.length;
  const count = receivers.length * sets.length;
  if (count > MAX_MESSAGES_PER_EVENT) {
    const why = `makes ${count} messages at once; an event may make ${MAX_MESSAGES_PER_EVENT}`;
    return { messages: [], failures: [...failures, failure(placeOf(route, scope), 'to', '', why)] };
  }
  const messages = receivers.flatMap((phone) =>
    sets.map((params, at) => ({ route: route.name, kind, phone, params, ...withFallback(parts.value, at) })),
  );
  return { messages, failures, ...(notes.length > 0 && { notes }), ...(leftOut > 0 && { leftOut }) };
}
