import * as z from 'zod/mini';
import { oneOf, strictDocument } from '../../schema/parts.ts';
import { reportConflicts } from '../signed/signed-conflicts.ts';
import { secretShape, signedShape } from '../signed/signed-knobs.ts';

/** `verify: { scheme: hmac, … }`: the knobs, and that they fit together. */
export const hmacSchema = strictDocument({
  scheme: z.literal('hmac'),
  algorithm: z._default(oneOf(['sha1', 'sha256', 'sha512']), 'sha256'),
  encoding: z._default(oneOf(['hex', 'base64', 'base64url']), 'hex'),
  ...signedShape,
  ...secretShape,
}).check(z.superRefine(reportConflicts));

export type HmacScheme = z.output<typeof hmacSchema>;
