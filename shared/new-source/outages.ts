type Routes = readonly Readonly<Record<string, unknown>>[];

interface Routed {
  readonly routes: Routes;
}

/** The people on call, who are woken. Problems that go to other lists, such as broken builds, may wait. */
const ON_CALL = 'on-call';

/** True if a route's problems concern the people on call. */
export const isOutage = ({ incident, to }: Routes[number]): boolean =>
  incident !== undefined && [to].flat().includes(ON_CALL);

/** The names of its routes for outages, if the sender does not rank them. Empty if it does, or if there are none. */
export function unrankedOutages({ routes }: Routed): readonly string[] {
  const outages = routes.filter(isOutage);
  return outages.some(({ priority }) => priority === 'high') ? [] : outages.map(({ name }) => String(name));
}

/** The names of routes that wait for the end of quiet hours. */
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
