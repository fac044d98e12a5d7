import * as z from 'zod/mini';
import { oneOf, strictDocument } from '../../schema/parts.ts';
import { tolerance } from '../signed/signed-knobs.ts';

/**
 * `verify: { scheme: rsa, format: … }`: signed with a certificate that the sender names and that is fetched from the
 * format's own hosts only. The "secret" is what makes a request this source's: `sns`: the topic's ARN; `paypal`: the
 * webhook's id.
 */
export const rsaSchema = strictDocument({
  scheme: z.literal('rsa'),
  format: oneOf(['sns', 'paypal']),
  tolerance,
});

export type RsaScheme = z.output<typeof rsaSchema>;
