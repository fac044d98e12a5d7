import type { Route } from '../../config/config.ts';
import { MESSAGE_KINDS } from '../../gateway/kinds.ts';
import { failure, placeOf } from '../../render/failure.ts';
import { renderReceivers } from '../../render/receivers.ts';
import { renderSend } from '../../render/send.ts';
import type { Locale } from '../../template/basics/locale.ts';
import type { Scope } from '../../template/basics/scope.ts';
import { MAX_MESSAGES_PER_EVENT } from './allowance.ts';
import type { Rendered } from './route-result.ts';

/** Renders a route once: its parameters, then its receivers. Failures are reported; the rest is sent. */
export function renderMessages(route: Route, scope: Scope, locale: Locale): Rendered {
  const parts = renderSend(route, route.send, scope, locale);
  if (!parts.ok) return { messages: [], failures: parts.error };
  const { kind } = route.send;
  const { phones, failures } = renderReceivers(route, scope, locale);
  const receivers: readonly (string | null)[] = MESSAGE_KINDS[kind].hasReceiver ? phones : [null];
  const count = receivers.length * parts.value.length;
  if (count > MAX_MESSAGES_PER_EVENT) {
    const why = `makes ${count} messages at once; an event may make ${MAX_MESSAGES_PER_EVENT}`;
    return { messages: [], failures: [...failures, failure(placeOf(route, scope), 'to', '', why)] };
  }
  const messages = receivers.flatMap((phone) =>
    parts.value.map((params) => ({ route: route.name, kind, phone, params })),
  );
  return { messages, failures };
}
