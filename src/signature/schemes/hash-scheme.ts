import * as z from 'zod/mini';
import { oneOf, strictDocument } from '../../schema/parts.ts';
import { reportConflicts } from '../signed/signed-conflicts.ts';
import { secretShape, signedShape } from '../signed/signed-knobs.ts';

/** `verify: { scheme: hash, … }`: a plain digest of a text with the secret in it (`{secret}` in `signed`), as HubSpot v1. */
export const hashSchema = strictDocument({
  scheme: z.literal('hash'),
  algorithm: z._default(oneOf(['sha256', 'sha512']), 'sha256'),
  encoding: z._default(oneOf(['hex', 'base64', 'base64url']), 'hex'),
  ...signedShape,
  ...secretShape,
}).check(z.superRefine(reportConflicts));

export type HashScheme = z.output<typeof hashSchema>;
