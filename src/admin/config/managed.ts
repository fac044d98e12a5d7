import * as z from 'zod/mini';
import { registry } from '../../config/registry-client.ts';
import { EMPTY_SET } from '../../config/documents/schema.ts';
import { secretValueErrors } from '../../config/secrets/values.ts';
import { type FieldError, fieldError } from '../../lib/problem.ts';
import type { Page } from '../../outbox/read/read.ts';
import { parseOwnJson } from '../../lib/own-json.ts';
import { err, ok } from '../../lib/result.ts';
import { MAX_FILES_BYTES } from '../../registry/managed.ts';
import { notText, oneOf, recordOf, strictDocument } from '../../schema/parts.ts';
import { apiRoute, type ApiRoutes } from '../api/route.ts';
import { notFound } from '../request/input.ts';
import { wholeList } from '../request/pages.ts';
import { answer, oneLine } from './publish.ts';

/** A path below the folder, which becomes a path in a patch. Its letters mean the same on every system. */
const PATH = /^\w[\w.-]*(\/\w[\w.-]*)*\.(ya?ml|json|liquid)$/;
const MAX_PATH = 200;

/** The query of requests that publish a set from git. */
export const managedQuery = { managed: z.optional(oneOf(['true', 'false'])) };

/** The files of a set from git: their texts by path. */
export const filesSchema = recordOf(z.string({ error: notText }), 'must map path to text');

/** Returns the files as they are stored, or the errors in them. */
export function storedFiles(files: z.output<typeof filesSchema>, env: Env) {
  const stored = JSON.stringify(files);
  const errors: FieldError[] = Object.keys(files)
    .filter((path) => !PATH.test(path) || path.length > MAX_PATH)
    .map((path) =>
      fieldError(
        `files.${path}`,
        'malformed',
        'must be a path below the folder, such as `sources/shop.yaml`',
      ),
    );
  if (new TextEncoder().encode(stored).byteLength > MAX_FILES_BYTES)
    errors.push(fieldError('files', 'too-long', `must not be larger than ${MAX_FILES_BYTES} bytes as JSON`));
  // A secret may be in a comment.
  for (const fault of secretValueErrors({ ...EMPTY_SET, sources: files }, env))
    errors.push({ ...fault, path: fault.path.replace('sources', 'files') });
  return errors.length > 0 ? err(errors) : ok(stored);
}

interface KeptFile {
  readonly path: string;
  readonly bytes: number;
}

interface KeptText {
  readonly path: string;
  readonly text: string;
}

/** Takeover and files of a set from git. */
export const managedRoutes = {
  takeOverConfig: apiRoute({
    method: 'POST',
    path: '/config/takeover',
    role: 'editor',
    body: strictDocument({ name: oneLine(100) }),
    handle: async (call) => {
      const { env, body, login } = call;
      const taken = await answer(call, () => registry(env).takeOver(body.name, login.actor, Date.now()));
      return taken instanceof Response ? taken : { ...taken, managed: null };
    },
  }),

  readConfigFiles: apiRoute({
    method: 'GET',
    path: '/config/files',
    role: 'viewer',
    view: 'quoted',
    query: { path: z.optional(z.string()) },
    handle: async ({ env, query: { path } }): Promise<Page<KeptFile> | KeptText | Response> => {
      const files = parseOwnJson<Record<string, string>>(await registry(env).files());
      if (path === undefined) return wholeList(Object.entries(files).map(sizeOf));
      const text = Object.hasOwn(files, path) ? files[path] : undefined;
      return text === undefined ? notFound(`file \`${path}\``) : { path, text };
    },
  }),
} satisfies ApiRoutes;

const sizeOf = ([path, text]: readonly [string, string]): KeptFile => ({
  path,
  bytes: new TextEncoder().encode(text).byteLength,
});
