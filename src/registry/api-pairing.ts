import * as z from 'zod';
import { time, type AnswerOf } from '../schema/api-parts.ts';

const source = z.string();

const offers = z
  .array(
    z
      .object({
        at: time,
        address: z.string().max(64).optional().meta({ description: 'Its IP address.' }),
        user_agent: z.string().max(120).optional().meta({ description: 'The user agent of the sender.' }),
      })
      .meta({ id: 'PairingOffer', description: 'The sender of a key.' }),
  )
  .max(2);

const found = { source, expires_at: time };

export const pairing = z
  .discriminatedUnion('state', [
    z.object({ source, state: z.literal('closed') }).meta({ id: 'PairingClosed' }),
    z.object({ ...found, state: z.literal('open') }).meta({ id: 'PairingOpen' }),
    z
      .object({
        ...found,
        state: z.literal('void'),
        offers,
        hint: z.string().meta({ description: 'Instructions for the next step.' }),
      })
      .meta({ id: 'PairingVoid', description: 'Two different keys arrived, so both are discarded.' }),
    // After the others: who reads it takes a state of a list for any text.
    z.object({ ...found, state: z.enum(['captured', 'taken']), offers }).meta({
      id: 'PairingCaptured',
      description: 'A key arrived. `taken`: it was shown and is not stored.',
    }),
  ])
  .meta({ id: 'Pairing', description: 'The state of a source’s pairing window.' });

export const pairedKey = z
  .object({
    ...found,
    state: z.literal('taken'),
    offers,
    secret: z.string().meta({ description: 'The key. It is shown only once.' }),
    hint: z.string().meta({ description: 'The place where the key belongs.' }),
  })
  .meta({ id: 'PairedKey', description: 'The key that a provider handed over.' });

export type PairingAnswer = AnswerOf<typeof pairing>;
