import * as z from 'zod';
import { time } from './parts.ts';

const source = z.string();

export const pairing = z
  .discriminatedUnion('state', [
    z.object({ source, state: z.literal('closed') }).meta({ id: 'PairingClosed' }),
    z.object({ source, state: z.literal('open'), expires_at: time }).meta({ id: 'PairingOpen' }),
    z
      .object({
        source,
        state: z.literal('captured'),
        secret: z.string().meta({ description: 'The key. It is shown only this once.' }),
        hint: z.string().meta({ description: 'Where it goes.' }),
      })
      .meta({ id: 'PairingCaptured' }),
  ])
  .meta({ id: 'Pairing', description: 'How the pairing window of a source stands.' });
