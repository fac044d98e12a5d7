import { Hono } from 'hono/tiny';
import * as z from 'zod/mini';
import { registry } from '../../config/registry-client.ts';
import { EMPTY_SET } from '../../config/schema.ts';
import { secretValueErrors } from '../../config/secret-values.ts';
import type { FieldError } from '../../lib/problem.ts';
import { parseOwnJson } from '../../lib/own-json.ts';
import { err, ok } from '../../lib/result.ts';
import { MAX_FILES_BYTES } from '../../registry/managed.ts';
import { notText, oneOf, recordOf, strictDocument } from '../../schema/parts.ts';
import type { AdminVariables } from '../auth/auth.ts';
import { check, checkQuery, notFound, readJson } from '../request/input.ts';
import { answer, oneLine } from './publish.ts';

/** Below the folder, of letters that mean the same everywhere: it becomes a path in a patch. */
const PATH = /^\w[\w.-]*(\/\w[\w.-]*)*\.(ya?ml|json|liquid)$/;
const MAX_PATH = 200;

/** The query of what publishes a set as it is kept in git. */
export const managedQuery = { managed: z.optional(oneOf(['true', 'false'])) };

/** The files of a set that is kept in git: their texts by path. */
export const filesSchema = recordOf(z.string({ error: notText }), 'must be texts by path');

/** The files as they are stored, or what is wrong with them. */
export function storedFiles(files: z.output<typeof filesSchema>, env: Env) {
  const stored = JSON.stringify(files);
  const errors: FieldError[] = Object.keys(files)
    .filter((path) => !PATH.test(path) || path.length > MAX_PATH)
    .map((path) => ({
      path: `files.${path}`,
      message: 'must be a path below the folder, such as `sources/shop.yaml`',
    }));
  if (new TextEncoder().encode(stored).byteLength > MAX_FILES_BYTES)
    errors.push({ path: 'files', message: `must not be larger than ${MAX_FILES_BYTES} bytes as JSON` });
  // A comment may hold one.
  for (const { path, message } of secretValueErrors({ ...EMPTY_SET, sources: files }, env))
    errors.push({ path: path.replace('sources', 'files'), message });
  return errors.length > 0 ? err(errors) : ok(stored);
}

/** The query of `GET /config/files`. */
export const filesQuery = { path: z.optional(z.string()) };

export const takeoverSchema = strictDocument({ name: oneLine(100) });

/** `/config/takeover` and `/config/files`: what a set that is kept in git has besides. */
export const managed = new Hono<{ Bindings: Env; Variables: AdminVariables }>();

managed.post('/config/takeover', async (context) => {
  const query = checkQuery({}, context);
  if (!query.ok) return query.error;
  const body = await readJson(context.req.raw);
  if (!body.ok) return body.error;
  const given = check(takeoverSchema, body.value);
  if (!given.ok) return given.error;
  return answer(
    context,
    () => registry(context.env).takeOver(given.value.name, context.get('actor'), Date.now()),
    { managed: null },
  );
});

managed.get('/config/files', async (context) => {
  const query = checkQuery(filesQuery, context);
  if (!query.ok) return query.error;
  const files = parseOwnJson<Record<string, string>>(await registry(context.env).files());
  const { path } = query.value;
  if (path === undefined)
    return Response.json({
      items: Object.entries(files).map(([name, text]) => ({
        path: name,
        bytes: new TextEncoder().encode(text).byteLength,
      })),
      next_cursor: null,
    });
  const text = Object.hasOwn(files, path) ? files[path] : undefined;
  return text === undefined ? notFound(`file \`${path}\``) : Response.json({ path, text });
});
