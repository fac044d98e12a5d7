import { ROUTES } from '../../api-docs/routes.ts';
import { table } from './page.ts';

const HEAD = `# Routes of the admin API

<!-- Made by \`npm run docs\` from the API's description. -->

All paths are below \`/admin/api/v1\`. The [roles](../roles.md) are viewer, operator and editor; each may do what those
before it may. The OpenAPI document,
\`/admin/api/v1/openapi.json\`, describes requests and responses.`;

/** docs/api/routes.md: a table for each tag. */
export function routesPage(): string {
  const sections = [...Map.groupBy(ROUTES, ({ tag }) => tag)].map(([tag, routes]) => {
    const byPath = [...Map.groupBy(routes, ({ path }) => path).values()].flat();
    const rows = byPath.map(({ method, path, role, summary, query }) => [
      `\`${method} ${path}\``,
      role ?? 'anybody',
      summary,
      query.map(({ name }) => `\`${name}\``).join(', '),
    ]);
    return `## ${tag}\n\n${table(['route', 'role', 'what it does', 'query'], rows)}`;
  });
  return [HEAD, ...sections].join('\n\n');
}
