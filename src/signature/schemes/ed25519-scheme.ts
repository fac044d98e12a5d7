import * as z from 'zod/mini';
import { oneOf, strictDocument } from '../../schema/parts.ts';
import { reportConflicts } from '../signed/signed-conflicts.ts';
import { secretShape, signedShape } from '../signed/signed-knobs.ts';

/** `verify: { scheme: ed25519, … }`; the "secret" is the sender's public key, 32 bytes. */
export const ed25519Schema = strictDocument({
  scheme: z.literal('ed25519'),
  encoding: z._default(oneOf(['hex', 'base64', 'base64url']), 'hex'),
  ...signedShape,
  ...secretShape,
  /** How the public key is written. */
  secret_encoding: z._default(oneOf(['hex', 'base64']), 'hex'),
}).check(z.superRefine(reportConflicts));

export type Ed25519Scheme = z.output<typeof ed25519Schema>;
