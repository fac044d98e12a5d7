import { templatesOf } from '../../../shared/templates-of.ts';
import { isObject } from '../../../src/lib/json.ts';
import type { Version, Written } from '../../api/types.ts';
import { sameDocument } from '../../../shared/yaml-patch/same.ts';
import { getTagged, put, Refused } from '../../api/client.ts';

export type TextSet = Readonly<Record<'sources' | 'templates', Readonly<Record<string, Written>>>>;

export type TextPlace = { readonly in: 'template'; readonly name: string } | ({ readonly in: 'route' } & Use);

/** `send`: the messages of the route; `digest`: its summary. */
const PARTS = ['send', 'digest'] as const;

export interface Use {
  readonly source: string;
  readonly route: string;
  readonly part: (typeof PARTS)[number];
}

/** The text's part of an address: `order-paid`, `shop:paid`, `shop:paid:digest`. Names have no colon. */
export const idOf = (place: TextPlace): string =>
  place.in === 'template'
    ? place.name
    : [place.source, place.route, ...(place.part === 'send' ? [] : [place.part])].join(':');

export function placeOf(id: string): TextPlace {
  const [source = '', route, part] = id.split(':');
  if (route === undefined) return { in: 'template', name: id };
  return { in: 'route', source, route, part: part === 'digest' ? 'digest' : 'send' };
}

const own = (docs: Readonly<Record<string, Written>>, name: string): Written | null =>
  Object.hasOwn(docs, name) ? (docs[name] ?? null) : null;

/** The routes of a source, whatever was published. */
export function routesOf(source: unknown): readonly Written[] {
  const routes = isObject(source) ? source['routes'] : undefined;
  return Array.isArray(routes) ? routes.filter(isObject) : [];
}

/** The parts of all routes, each with what it is in the route, and the templates that it names. */
const partsIn = ({ sources }: TextSet) =>
  Object.entries(sources).flatMap(([source, document]) =>
    routesOf(document).flatMap((route) =>
      PARTS.map((part) => ({
        use: { source, route: String(route['name']), part },
        text: route[part],
        templates: part === 'send' ? templatesOf(route) : [route[part]],
      })),
    ),
  );

const usesOf = (set: TextSet, name: string): readonly Use[] =>
  partsIn(set).flatMap(({ use, templates }) => (templates.includes(name) ? [use] : []));

/** Where a text is sent: its own route, or those that name the template. */
export const usesAt = (set: TextSet, place: TextPlace): readonly Use[] =>
  place.in === 'route' ? [place] : usesOf(set, place.name);

export const textsOf = (set: TextSet) => [
  ...Object.entries(set.templates).map(([name, document]) => ({
    id: name,
    place: { in: 'template' as const, name },
    document,
    uses: usesOf(set, name),
  })),
  ...partsIn(set).flatMap(({ use, text }) => {
    const place = { in: 'route' as const, ...use };
    return isObject(text) ? [{ id: idOf(place), place, document: text, uses: [use] }] : [];
  }),
];

export type ListedText = ReturnType<typeof textsOf>[number];

export function textAt(set: TextSet, place: TextPlace): Written | null {
  if (place.in === 'template') return own(set.templates, place.name);
  const text = routeAt(set, place)?.[place.part];
  return isObject(text) ? text : null;
}

export const routeAt = (set: TextSet, { source, route }: Pick<Use, 'source' | 'route'>): Written | null =>
  routesOf(own(set.sources, source)).find(({ name }) => name === route) ?? null;

export function withText(set: TextSet, place: TextPlace, text: Written) {
  if (place.in === 'template') return { collection: 'templates' as const, name: place.name, document: text };
  const source = own(set.sources, place.source) ?? {};
  const routes = routesOf(source).map((route) =>
    route['name'] === place.route ? { ...route, [place.part]: text } : route,
  );
  return { collection: 'sources' as const, name: place.source, document: { ...source, routes } };
}

/** The path before those of a text's own parameters, as the API names it in its errors. */
export function pathTo(set: TextSet, place: TextPlace): string {
  if (place.in === 'template') return `templates.${place.name}.`;
  const at = routesOf(own(set.sources, place.source)).findIndex(({ name }) => name === place.route);
  return `sources.${place.source}.routes[${at}].${place.part}.`;
}

/** A number nobody has, and the name of a route that only shows a template that no route sends. */
const NOBODY = '4915100000000';
const MADE = 'preview';

export function draftFor(set: TextSet, place: TextPlace, text: Written, source: string): Written {
  const write = withText(set, place, text);
  if (place.in === 'route') return { draft: write.document };
  const templates = { [place.name]: text };
  if (usesOf(set, place.name).some((use) => use.source === source)) return { drafts: { templates } };
  const routes = [{ name: MADE, to: NOBODY, template: place.name }];
  return { drafts: { templates, sources: { [source]: { ...own(set.sources, source), routes } } } };
}

/**
 * Returns the request that shows a template for any webhook. A route may have one for each language: the draft sends this one
 * in its language, whatever the language of the event.
 */
export function shownDraft(set: TextSet, place: TextPlace, text: Written, source: string): Written {
  const draft = draftFor(set, place, text, source);
  if (place.in === 'route') return draft;
  let tag: string | undefined;
  const routes = routesOf(set.sources[source]).map((route) => {
    const { template } = route;
    const found = isObject(template) && Object.keys(template).find((one) => template[one] === place.name);
    if (typeof found !== 'string') return route;
    tag = found;
    return { ...route, template: place.name };
  });
  if (tag === undefined) return draft;
  const document = { ...set.sources[source], routes, ...(tag !== 'default' && { locale: tag }) };
  return { drafts: { templates: { [place.name]: text }, sources: { [source]: document } } };
}

/** The routes of a source that send a text. A template that none sends is shown by a route made for it. */
export function ownRoutes(set: TextSet, place: TextPlace, source: string): readonly string[] {
  const uses = usesAt(set, place).filter((use) => use.source === source);
  return uses.length === 0 ? [MADE] : uses.map(({ route }) => route);
}

/** The sources whose webhooks the text is tried on: those that send it, or all when none does. */
export function sourcesFor(set: TextSet, place: TextPlace): readonly string[] {
  const using = new Set(usesAt(set, place).map(({ source }) => source));
  return using.size > 0 ? [...using] : Object.keys(set.sources);
}

export async function readSet(version?: number, signal?: AbortSignal) {
  const { value: set, tag } = await getTagged<TextSet>('/config', { version }, signal);
  return { set, version: Number(/\d+/.exec(tag ?? '')?.[0] ?? 0) };
}

export type PublishedTexts = Readonly<Awaited<ReturnType<typeof readSet>>>;

/** Others may publish something else at the same time, and again while that is looked at. */
const MAX_TRIES = 4;

/**
 * Publishes a text, if nobody else has published it since `base` was read: then there is no receipt, and nothing was
 * changed. Other people's changes to the rest of the set stay.
 * @throws {Refused} when the API refuses it.
 */
export async function publishText(
  first: PublishedTexts,
  place: TextPlace,
  { text, base, note }: { readonly text: Written; readonly base: Written | null; readonly note: string },
) {
  let now = first;
  for (let tries = 1; ; tries += 1) {
    if (!sameDocument(textAt(now.set, place), base)) return { now, receipt: null };
    const { collection, name, document } = withText(now.set, place, text);
    try {
      const path = `/${collection}/${encodeURIComponent(name)}`;
      const receipt = await put(path, document, `"${now.version}"`, { note });
      return { now: await readSet(), receipt };
    } catch (thrown) {
      if (!(thrown instanceof Refused) || thrown.status !== 412 || tries === MAX_TRIES) throw thrown;
      now = await readSet();
    }
  }
}

/** A version, and the text as it was in it; null: it was not there. */
export interface TextVersion {
  readonly version: Version;
  readonly text: Written | null;
}

/** The versions that changed the text. `steps` are newest first; the oldest is known as a change only if it is the first. */
export const changesOf = (steps: readonly TextVersion[], isAll: boolean): readonly TextVersion[] =>
  steps.filter(({ text }, at) => {
    const older = steps[at + 1];
    return older === undefined ? isAll && text !== null : !sameDocument(text, older.text);
  });
