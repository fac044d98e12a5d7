import { isOfIncidents, STOP } from '../../config/compile/actions.ts';
import type { Source, LoadedConfig } from '../../config/compiled/config.ts';
import { canTakeBack } from '../../outbox/links/take-back.ts';
import { isCanary, type LinkView, type Pressed, type PressPayload } from '../../outbox/links/read-link.ts';
import { goesOn } from '../../outbox/state/states.ts';
import type { Suppression } from '../../registry/api-suppression.ts';
import { receiversOf } from '../../config/compile/escalation.ts';
import { maskNumber } from '../../lib/numbers.ts';

/** The state of a link at the moment. */
export type LinkState =
  | { readonly kind: 'open' }
  /** `isOwn`: the press came through this same link. */
  | {
      readonly kind: 'pressed';
      readonly pressed: Pressed;
      readonly isOwn: boolean;
      readonly canTakeBack: boolean;
    }
  | { readonly kind: 'expired' }
  /** For incidents: somebody has them, or nobody needs to. Times are ISO 8601. */
  | { readonly kind: 'taken'; readonly by: string; readonly at: string }
  | { readonly kind: 'resolved'; readonly at: string | null }
  /** Nothing is known of the incidents any more, or of one of them; none goes on, as far as is known. */
  | { readonly kind: 'lost' }
  /** For `stop`: the receiver has opted out. `canStart`: they did so through such a link, so they can opt in again. */
  | { readonly kind: 'stopped'; readonly at: string; readonly canStart: boolean }
  /** The source, the route or the action is not in the configuration any more; for `stop`, the source. */
  | { readonly kind: 'withdrawn' };

/**
 * `source`: the source in force; undefined if there is none. `now` in ms. `stopped`: the receiver's opt-out; null if
 * there is none, or the link is not for that.
 */
export function stateOf(
  view: LinkView,
  source: Source | undefined,
  now: number,
  stopped: Suppression | null = null,
): LinkState {
  const { link, message, pressed, route } = view;
  if (stopped !== null)
    return {
      kind: 'stopped',
      at: stopped.at,
      canStart: stopped.message !== undefined && source !== undefined,
    };
  if (pressed !== null)
    return {
      kind: 'pressed',
      pressed,
      isOwn: pressed.message === message && pressed.action === link.id,
      canTakeBack: canTakeBack(view, now),
    };
  if (isCanary(view)) return now < link.until ? { kind: 'open' } : { kind: 'expired' };
  const actions = source?.routes.find(({ name }) => name === route)?.actions ?? [];
  // Whoever got the link can use it to opt out, even if its route has another name by now.
  const isAsked = link.id === STOP ? source !== undefined : actions.some(({ id }) => id === link.id);
  if (!isAsked) return { kind: 'withdrawn' };
  if (isOfIncidents(link.id)) {
    const settled = settledBy(view);
    if (settled !== null) return settled;
  }
  return now < link.until ? { kind: 'open' } : { kind: 'expired' };
}

/** Returns the reason why incidents need no press; null if there is none. */
function settledBy({ link, incidents }: LinkView): LinkState | null {
  const open = incidents.filter(({ state }) => goesOn(state));
  if (open.length === 0 && incidents.some(({ state }) => state !== 'resolved')) return { kind: 'lost' };
  if (open.length === 0) return { kind: 'resolved', at: incidents.at(-1)?.resolvedAt ?? null };
  const [first] = open;
  const isTaken = link.id === 'ack' && open.every(({ acknowledged }) => acknowledged !== null);
  return isTaken && first?.acknowledged ? { kind: 'taken', ...first.acknowledged } : null;
}

/** A press, and the account that it belongs to. */
export interface Press {
  readonly env: Env;
  readonly config: LoadedConfig;
  readonly source: Source;
  /** The account whose outbox has the message. */
  readonly account: string;
  readonly view: LinkView;
  /** ms. */
  readonly now: number;
}

/** Returns the person who pressed: the receiver of the message, with their name in the lists of its route. */
export function personOf({
  source,
  view: { route, phone },
}: Pick<Press, 'source' | 'view'>): PressPayload['by'] {
  const found = source.routes.find((one) => one.name === route);
  const lists = found === undefined ? [] : receiversOf(found);
  const [name] = lists.flatMap((to) =>
    to.from === 'document' && phone !== null ? (to.names?.get(phone) ?? []) : [],
  );
  return { phone, ...(name !== undefined && { name }) };
}

/** Returns a person as the others in the same list see them. */
export const whoIs = ({ name, phone }: PressPayload['by']): string => name ?? maskNumber(phone ?? '');
