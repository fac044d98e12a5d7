import * as z from 'zod';
import { openapiFile } from '../../api-docs/document.ts';
import { table } from './page.ts';

const operation = z.object({
  summary: z.string(),
  tags: z.tuple([z.string()]),
  'x-role': z.string().default('anybody'),
  parameters: z.array(z.object({ name: z.string(), in: z.string() })).default([]),
});
const description = z.object({ paths: z.record(z.string(), z.record(z.string(), operation)) });

const HEAD = `# Routes of the admin API

<!-- Made by \`npm run docs\` from the API's description. -->

All paths are below \`/admin/api/v1\`. The [roles](../roles.md) are viewer, operator and editor; each may do what those
before it may. The OpenAPI document,
\`/admin/api/v1/openapi.json\`, describes requests and responses.`;

/** docs/api/routes.md: a table for each tag. */
export function routesPage(): string {
  const { paths } = description.parse(JSON.parse(openapiFile()));
  const rows = new Map<string, string[][]>();
  for (const [path, methods] of Object.entries(paths))
    for (const [method, { summary, tags, parameters, 'x-role': role }] of Object.entries(methods)) {
      const query = parameters.filter(({ in: place }) => place === 'query').map(({ name }) => `\`${name}\``);
      const row = [`\`${method.toUpperCase()} ${path}\``, role, summary, query.join(', ')];
      rows.set(tags[0], [...(rows.get(tags[0]) ?? []), row]);
    }
  const sections = [...rows].map(
    ([tag, of]) => `## ${tag}\n\n${table(['route', 'role', 'what it does', 'query'], of)}`,
  );
  return [HEAD, ...sections].join('\n\n');
}
