import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import * as z from 'zod';
import { openapiFile } from '../api-docs/files.ts';
import { table } from './page-section.ts';

const PAGE = 'docs/api/routes.md';
const TARGET = join(import.meta.dirname, '..', PAGE);

const operation = z.object({
  summary: z.string(),
  tags: z.tuple([z.string()]),
  'x-role': z.string().default('anybody'),
  parameters: z.array(z.object({ name: z.string(), in: z.string() })).default([]),
});
const description = z.object({ paths: z.record(z.string(), z.record(z.string(), operation)) });

const HEAD = `# Routes of the admin API

<!-- Made by \`npm run docs:routes\` from the API's description. -->

All paths are below \`/admin/api/v1\`. The [roles](../roles.md) are viewer, operator and editor; each may do what those
before it may. Anybody may call \`GET /many\`, but each path in it needs its own role. The OpenAPI document,
\`/admin/api/v1/openapi.json\`, describes requests and responses.`;

/** Returns the page: a table for each tag. */
function page(): string {
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

/** `npm run docs:routes`: writes docs/api/routes.md. With `--check` it only checks whether that is up to date. */
async function main(args: readonly string[]): Promise<void> {
  const made = await format(page(), { ...(await resolveConfig(TARGET)), parser: 'markdown' });
  mkdirSync(dirname(TARGET), { recursive: true });
  if (!args.includes('--check')) return writeFileSync(TARGET, made);
  if (readFileSync(TARGET, 'utf8') === made) return;
  process.stderr.write(`${PAGE} is stale; run \`npm run docs:routes\`\n`);
  process.exitCode = 1;
}

await main(process.argv.slice(2));
