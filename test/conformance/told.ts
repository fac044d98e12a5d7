import type { Route } from '../../src/config/config.ts';
import type { DraftItem } from '../../src/outbox/state/acceptance.ts';
import type { Provider } from '../../src/provider/provider.ts';
import { renderSend } from '../../src/render/send.ts';
import { toldScope, type ToldElement, type ToTell } from '../../src/render/told-scope.ts';
import { parseOwnJson } from '../../src/lib/own-json.ts';
import type { SampleItem } from './starter-items.ts';
import { compiledSource } from './starters.ts';

const AT = '2026-01-05T08:30:00.000Z';
const MINUTE = 60_000;

/** An item as its message's template sees it, after so many minutes. */
export function elementOf(item: DraftItem, minutes: number, ended: boolean, value = item.value): ToldElement {
  return {
    item: parseOwnJson<unknown>(value),
    event: { id: 'evt_1', type: null, source: 'shop', received_at: AT, dedupe_key: null },
    opened_at: AT,
    ended_at: ended ? AT : null,
    burned_ms: minutes * MINUTE,
    times: 1,
    key: item.key,
    flapping: false,
    changes: 1,
  };
}

type Told = Pick<ToTell, 'burning' | 'fresh' | 'ended'>;

/** The text of a message of a starter's route, in its locale. Throws when its template fails. */
export function textOf(provider: Provider, route: string, told: Told, locale = 'en-GB'): string {
  const source = compiledSource(provider, locale);
  const found = source.routes.find(({ name }) => name === route);
  if (found === undefined) throw new Error(`${provider.id} has no route ${route}`);
  return render(found, told, source.locale);
}

function render(route: Route, told: Told, locale: Parameters<typeof renderSend>[3]): string {
  const max = route.telling?.group?.max ?? 1;
  const scope = toldScope(
    { ...told, max, single: route.telling?.group === null },
    { at: AT, source: 'shop' },
  );
  const sets = renderSend(route, route.send, scope, locale);
  if (!sets.ok) throw new Error(JSON.stringify(sets.error));
  return sets.value.map(({ message = '' }) => message).join('\n---\n');
}

const many = (first: number, last: number, make: (n: number) => ToldElement): readonly ToldElement[] =>
  Array.from({ length: last - first + 1 }, (_, at) => make(first + at));

/** What a person may find on a phone, in the words of `told-texts.txt`: made of an item that fires and its end. */
export function casesOf(firing: SampleItem, end: SampleItem): readonly (readonly [string, Told])[] {
  const burns = (n: number): ToldElement => elementOf(firing, 3 * n, false, numbered(firing.value, n));
  const over = (n: number): ToldElement => elementOf(end, 7 * n, true, numbered(end.value, n));
  const twelve = many(1, 12, burns);
  return [
    ['one is new', { burning: [burns(1)], fresh: [burns(1)], ended: [] }],
    ['twelve are new', { burning: twelve, fresh: twelve, ended: [] }],
    [
      'three are new, two are over',
      { burning: many(3, 15, burns), fresh: many(13, 15, burns), ended: many(1, 2, over) },
    ],
    ['the only one is over', { burning: [], fresh: [], ended: [over(1)] }],
    ['the last twelve are over', { burning: [], fresh: [], ended: many(1, 12, over) }],
    ['one goes on', { burning: [burns(90)], fresh: [], ended: [] }],
    ['twelve go on', { burning: twelve, fresh: [], ended: [] }],
    ['one flaps', { burning: [], fresh: [{ ...over(1), flapping: true, changes: 6 }], ended: [] }],
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
