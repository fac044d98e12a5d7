import type { Route } from '../../config/compiled/config.ts';
import { MESSAGE_KINDS } from '../../gateway/kinds.ts';
import { failure, placeOf } from '../../render/failure.ts';
import { renderReceivers } from '../../render/receivers.ts';
import { renderSends, withFallback } from '../../render/fallback.ts';
import type { Locale } from '../../template/basics/locale.ts';
import type { Scope } from '../../template/basics/scope.ts';
import { charactersOf } from './allowance.ts';
import type { RenderedRoute } from './route-result.ts';
import { linksVisitor, visitorScope, withoutGaps } from './visitor.ts';

/** The bounds of one rendering, and the time. */
interface RenderBounds {
  readonly messages: number;
  /** UTF-16 units. */
  readonly characters: number;
  /** The time (ms): whoever is on call now is the receiver. */
  readonly now: number;
}

/**
 * Renders a route once: its parameters, then its receivers. Failures are reported; the rest is sent. Receivers whose
 * messages exceed the bounds are left out.
 */
export function renderMessages(
  route: Route,
  scope: Scope,
  locale: Locale,
  bounds: RenderBounds,
): RenderedRoute {
  const { visitor } = route;
  const own = visitor === null ? scope : visitorScope(scope, visitor);
  const made = renderSends(route, route.send, own, locale);
  if (!made.ok) return { messages: [], failures: made.error };
  const parts = visitor === null ? made.value : withoutGaps(made.value, own, visitor);
  const { kind, sets, fallback, notes } = parts;
  if (visitor !== null && linksVisitor([...sets, ...fallback.map(({ params }) => params)]))
    return { messages: [], failures: [failure(placeOf(route, scope), 'message', '', HAS_LINK, 'unsafe')] };
  const { phones, failures } = renderReceivers(route, scope, locale, bounds.now);
  const all: readonly (string | null)[] = MESSAGE_KINDS[kind].hasReceiver ? phones : [null];
  const byCount = Math.floor(bounds.messages / sets.length);
  const ofOne = sets.map((params, at) => ({ params, ...(at === 0 && { fallback }) }));
  const byCharacters = Math.floor(bounds.characters / charactersOf(ofOne));
  const receivers = all.slice(0, Math.min(byCount, byCharacters));
  const messages = receivers.flatMap((phone) =>
    sets.map((params, at) => ({
      route: route.name,
      kind,
      phone,
      params,
      ...withFallback(parts, at, { phone, elsewhere: route.elsewhere }),
    })),
  );
  const count = (all.length - receivers.length) * sets.length;
  const by = byCharacters < byCount ? 'characters' : 'messages';
  return {
    messages,
    failures,
    ...(notes.length > 0 && { notes }),
    ...(count > 0 && { leftOut: { count, by } }),
  };
}

const HAS_LINK = 'has a link, which a message to a visitor must not have';
