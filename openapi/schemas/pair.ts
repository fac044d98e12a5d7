import * as z from 'zod';
import { time } from './parts.ts';

const source = z.string();

const offers = z
  .array(
    z
      .object({
        at: time,
        address: z.string().max(64).optional().meta({ description: 'As the platform saw it.' }),
        user_agent: z.string().max(120).optional().meta({ description: 'What the sender calls itself.' }),
      })
      .meta({ id: 'PairingOffer', description: 'Who handed a key over.' }),
  )
  .max(2);

const found = { source, expires_at: time };

export const pairing = z
  .discriminatedUnion('state', [
    z.object({ source, state: z.literal('closed') }).meta({ id: 'PairingClosed' }),
    z.object({ ...found, state: z.literal('open') }).meta({ id: 'PairingOpen' }),
    z
      .object({ ...found, state: z.enum(['captured', 'taken']), offers })
      .meta({ id: 'PairingCaptured', description: 'A key came in. `taken`: it was shown, and is not kept.' }),
    z
      .object({
        ...found,
        state: z.literal('void'),
        offers,
        hint: z.string().meta({ description: 'What to do.' }),
      })
      .meta({ id: 'PairingVoid', description: 'Two different keys came in, so neither is kept.' }),
  ])
  .meta({ id: 'Pairing', description: 'The state of a source’s pairing window.' });

export const pairedKey = z
  .object({
    ...found,
    state: z.literal('taken'),
    offers,
    secret: z.string().meta({ description: 'The key. It is shown only this once.' }),
    hint: z.string().meta({ description: 'Where it goes.' }),
  })
  .meta({ id: 'PairedKey', description: 'The key that a provider handed over.' });
