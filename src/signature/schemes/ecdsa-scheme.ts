import * as z from 'zod/mini';
import { oneOf, strictDocument } from '../../schema/parts.ts';
import { reportConflicts } from '../signed/signed-conflicts.ts';
import { signedShape } from '../signed/signed-knobs.ts';

/** `verify: { scheme: ecdsa, … }`: P-256 with SHA-256; the "secret" is the public key (SPKI in base64, PEM or not). */
export const ecdsaSchema = strictDocument({
  scheme: z.literal('ecdsa'),
  encoding: z._default(oneOf(['hex', 'base64', 'base64url']), 'base64'),
  /** How the signature's two numbers are written: ASN.1 DER, or 64 bytes one after the other. */
  signature_format: z._default(oneOf(['der', 'raw']), 'der'),
  ...signedShape,
}).check(z.superRefine(reportConflicts));

export type EcdsaScheme = z.output<typeof ecdsaSchema>;
