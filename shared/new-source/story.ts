import { ownValue } from '../../src/lib/json.ts';

/** A route that a source begins without, and what it would do, as the end of a sentence. */
export type LeftRoute = Readonly<{ route: Readonly<Record<string, unknown>>; does: string }>;

type Routes = readonly Readonly<Record<string, unknown>>[];
type Lines = Readonly<Record<string, string>>;

interface Storied {
  readonly routes: Routes;
  readonly templates?: Readonly<Record<string, unknown>>;
  readonly further?: Lines;
  readonly customers?: Lines;
}

export const leftOut = (
  { further = {}, customers = {} }: Storied,
  notifiesCustomers: boolean,
): readonly string[] => [...Object.keys(further), ...(notifiesCustomers ? [] : Object.keys(customers))];

/** The starter with as few routes as do the job; the rest is `left`, each with its template in itself. */
export function storyOf<Some extends Storied>(
  starter: Some,
  notifiesCustomers: boolean,
): Some & { readonly left: readonly LeftRoute[] } {
  const out = leftOut(starter, notifiesCustomers);
  const { templates = {} } = starter;
  const routes = starter.routes.filter(({ name }) => !out.includes(String(name)));
  const lines = { ...starter.further, ...starter.customers };
  const left = starter.routes
    .filter((route) => !routes.includes(route))
    .map((route) => ({ route: withTemplates(route, templates), does: lines[String(route['name'])] ?? '' }));
  return { ...starter, routes, templates: templatesOf(routes, templates), left };
}

const isToList = ({ to }: Readonly<Record<string, unknown>>): boolean => !/\{\{|\{%/.test(String(to));

/** The starter without routes whose receiver is in the payload, which is a phone number. */
export function toListsOnly<Some extends Storied & { readonly left: readonly LeftRoute[] }>(
  starter: Some,
): Some {
  const routes = starter.routes.filter(isToList);
  return {
    ...starter,
    routes,
    templates: templatesOf(routes, starter.templates ?? {}),
    left: starter.left.filter(({ route }) => isToList(route)),
  };
}

export function templatesOf(routes: Routes, templates: Readonly<Record<string, unknown>>) {
  const text = JSON.stringify(routes);
  return Object.fromEntries(Object.entries(templates).filter(([name]) => text.includes(`"${name}"`)));
}

/** A route that names no template, so that it needs no document but its source. */
function withTemplates(
  { template, digest, ...route }: Readonly<Record<string, unknown>>,
  templates: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const inside = (name: unknown): unknown =>
    typeof name === 'string' ? (ownValue(templates, name) ?? name) : name;
  return {
    ...route,
    ...(template !== undefined && { send: inside(template) }),
    ...(digest !== undefined && { digest: inside(digest) }),
  };
}

interface Routed {
  readonly routes: Routes;
}

/** The people on call, who are woken. Problems that go to other lists, such as broken builds, may wait. */
const ON_CALL = 'on-call';

export const isOutage = ({ incident, to }: Routes[number]): boolean =>
  incident !== undefined && [to].flat().includes(ON_CALL);

/** The names of its routes for outages, if the sender does not rank them. Empty if it does, or if there are none. */
export function unrankedOutages({ routes }: Routed): readonly string[] {
  const outages = routes.filter(isOutage);
  return outages.some(({ priority }) => priority === 'high') ? [] : outages.map(({ name }) => String(name));
}

export const waitingRoutes = ({ routes }: Routed): readonly string[] =>
  routes.filter(({ priority }) => priority !== 'high').map(({ name }) => String(name));

/** The starter with outages that pass quiet hours, where their sender does not rank them. */
export function withOutagesAtOnce<Some extends Routed>(starter: Some): Some {
  const names = unrankedOutages(starter);
  return {
    ...starter,
    routes: starter.routes.map((route) =>
      names.includes(String(route['name'])) ? { ...route, priority: 'high' } : route,
    ),
  };
}
