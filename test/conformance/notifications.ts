import type { Route } from '../../src/config/compiled/config.ts';
import type { DraftItem } from '../../src/outbox/state/acceptance.ts';
import type { Provider } from '../../src/provider/provider.ts';
import { replacing, withLinks } from '../../src/render/links.ts';
import { renderSend } from '../../src/render/send.ts';
import {
  notificationScope,
  type NotificationElement,
  type NotificationContent,
} from '../../src/render/notification-scope.ts';
import { parseOwnJson } from '../../src/lib/json.ts';
import type { SampleItem } from './starter-items.ts';
import { compiledSource } from './starters.ts';

const AT = '2026-01-05T08:30:00.000Z';
const MINUTE = 60_000;

/** An item as its message's template sees it, after N minutes. */
export function elementOf(
  item: DraftItem,
  minutes: number,
  isResolved: boolean,
  value = item.value,
): NotificationElement {
  return {
    item: parseOwnJson<unknown>(value),
    event: { id: 'evt_1', type: null, source: 'shop', received_at: AT, dedupe_key: null },
    started_at: AT,
    resolved_at: isResolved ? AT : null,
    duration_ms: minutes * MINUTE,
    occurrences: 1,
    key: item.key,
    flapping: false,
    changes: 1,
  };
}

type Content = Pick<NotificationContent, 'firing' | 'new' | 'resolved'>;

/** The text of a message of a starter's route, in its locale. Throws when its template fails. */
export function textOf(provider: Provider, route: string, content: Content, locale = 'en-GB'): string {
  const source = compiledSource(provider, locale);
  const found = source.routes.find(({ name }) => name === route);
  if (found === undefined) throw new Error(`${provider.id} has no route ${route}`);
  return render(found, content, source.locale);
}

function render(route: Route, content: Content, locale: Parameters<typeof renderSend>[3]): string {
  const max = route.alerting?.group?.max ?? 1;
  const scope = notificationScope(
    { ...content, max, single: route.alerting?.group === null },
    { at: AT, source: 'shop' },
  );
  const linked = withLinks(scope, route.actions);
  const sets = renderSend(route, route.send, linked, locale);
  if (!sets.ok) throw new Error(JSON.stringify(sets.error));
  const shown = replacing(
    Object.entries(linked.actions ?? {}).map(([id, { url }]) => [url, `https://…/a/${id}`] as const),
  );
  return sets.value.map(({ message = '' }) => shown({ message })['message']).join('\n---\n');
}

const many = (
  first: number,
  last: number,
  make: (n: number) => NotificationElement,
): readonly NotificationElement[] => Array.from({ length: last - first + 1 }, (_, at) => make(first + at));

/**
 * The notifications that a phone may get, in the words of `notification-texts.txt`: made of a firing item and its
 * resolution.
 */
export function casesOf(firing: SampleItem, end: SampleItem): readonly (readonly [string, Content])[] {
  const open = (n: number): NotificationElement => elementOf(firing, 3 * n, false, numbered(firing.value, n));
  const over = (n: number): NotificationElement => elementOf(end, 7 * n, true, numbered(end.value, n));
  const twelve = many(1, 12, open);
  return [
    ['one is new', { firing: [open(1)], new: [open(1)], resolved: [] }],
    ['twelve are new', { firing: twelve, new: twelve, resolved: [] }],
    [
      'three are new, two are over',
      { firing: many(3, 15, open), new: many(13, 15, open), resolved: many(1, 2, over) },
    ],
    ['the only one is over', { firing: [], new: [], resolved: [over(1)] }],
    ['the last twelve are over', { firing: [], new: [], resolved: many(1, 12, over) }],
    ['one goes on', { firing: [open(90)], new: [], resolved: [] }],
    ['twelve go on', { firing: twelve, new: [], resolved: [] }],
    ['one is flapping', { firing: [], new: [{ ...over(1), flapping: true, changes: 6 }], resolved: [] }],
  ];
}

/** The item of another machine, or with another name. */
const numbered = (json: string, n: number): string =>
  json
    .replaceAll(/\bweb-\d+/g, `web-${n}`)
    .replace(
      /("(?:check_name|monitorFriendlyName|AlarmName|name|title|message)":")([^"]+)"/,
      (_, key: string, text: string) => `${key}${text} ${n}"`,
    );
