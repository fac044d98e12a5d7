import { ROUTES } from '../../api-docs/routes.ts';
import { code, table, type Sections } from './page.ts';

/** A table for each tag. */
export function routeSections(): Sections {
  const sections = [...Map.groupBy(ROUTES, ({ tag }) => tag)].map(([tag, routes]) => {
    const byPath = [...Map.groupBy(routes, ({ path }) => path).values()].flat();
    const rows = byPath.map(({ method, path, role, summary, query }) => [
      code(`${method} ${path}`),
      role ?? 'anybody',
      summary,
      query.map(({ name }) => code(name)).join(', '),
    ]);
    return `## ${tag}\n\n${table(['route', 'role', 'what it does', 'query'], rows)}`;
  });
  return { routes: sections.join('\n\n') };
}
