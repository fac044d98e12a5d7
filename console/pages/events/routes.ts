import type { EventDetail, Message, PreviewAnswer } from '../../api/types.ts';

type RoutePreview = Extract<PreviewAnswer, { routes: unknown }>['routes'][number];

export interface RouteOfEvent {
  /** Null: what was sent by hand. */
  readonly name: string | null;
  readonly result: RoutePreview['result'] | null;
  readonly why: string | null;
  readonly failures: RoutePreview['failures'];
  readonly messages: readonly Message[];
  /** The template that it uses today; null: its own, or the route is gone. */
  readonly template: string | null;
  readonly isThere: boolean;
}

interface Known {
  readonly event: Pick<EventDetail, 'messages' | 'items'>;
  /** The outcomes under the current configuration. Null if they are not known. */
  readonly today: readonly RoutePreview[] | null;
  readonly configured: readonly { readonly name: string; readonly template?: string }[] | null;
}

/**
 * The current routes in their order, then those that are gone. A route that made messages matched, whatever it would
 * do today; only for the others the preview decides.
 */
export function routesOf({ event, today, configured }: Known): readonly RouteOfEvent[] {
  const byRoute = Map.groupBy(event.messages, ({ route }) => route);
  const withItems = new Set(event.items?.map(({ route }) => route));
  const names = new Set<string | null>([
    ...(configured ?? []).map(({ name }) => name),
    ...(today ?? []).map(({ route }) => route),
    ...byRoute.keys(),
    ...withItems,
  ]);
  return [...names].map((name) => {
    const messages = byRoute.get(name) ?? [];
    const seen = today?.find(({ route }) => route === name) ?? null;
    const own = configured?.find((one) => one.name === name);
    const hasMatched = messages.length > 0 || (name !== null && withItems.has(name));
    return {
      name,
      result: hasMatched ? 'matched' : (seen?.result ?? null),
      why: hasMatched ? null : (seen?.why ?? null),
      failures: hasMatched ? [] : (seen?.failures ?? []),
      messages,
      template: own?.template ?? null,
      isThere: configured === null || own !== undefined || name === null,
    };
  });
}
