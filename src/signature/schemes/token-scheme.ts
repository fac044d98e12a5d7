import * as z from 'zod/mini';
import { someText, strictDocument } from '../../schema/parts.ts';
import { path } from '../signed/signed-knobs.ts';
import { HEADER_NAME } from '../signed/signed-template.ts';

const scheme = z.literal('token');
const prefix = z.optional(someText(128));

/** `verify: { scheme: token, in: … }`: a secret that stands in a header, the query, the body, or the path. */
export const tokenSchema = z.discriminatedUnion(
  'in',
  [
    strictDocument({
      scheme,
      in: z.literal('header'),
      name: someText(128).check(z.regex(HEADER_NAME, { error: 'must be the name of a header' })),
      /** Text before the token, e.g. `Bearer `; upper and lower case are alike, as in HTTP's own schemes. */
      prefix,
      /** The sender may leave the prefix out, or the secret may have it. */
      prefix_optional: z.optional(z.boolean({ error: 'must be true or false' })),
    }).check(
      z.refine((token) => token.prefix_optional === undefined || token.prefix !== undefined, {
        path: ['prefix_optional'],
        error: 'needs a `prefix`',
      }),
    ),
    strictDocument({ scheme, in: z.literal('query'), name: someText(128), prefix }),
    strictDocument({ scheme, in: z.literal('path') }),
    strictDocument({
      scheme,
      in: z.literal('body'),
      /** The JSON path or form field that holds the token. */
      name: path,
      /** A JSON path to a list; `name` is read from each of its elements, and all of them must be right. */
      items: z.optional(path),
    }),
  ],
  { error: 'must say where the token stands: `in: header`, `in: query`, `in: path` or `in: body`' },
);

export type TokenScheme = z.output<typeof tokenSchema>;
