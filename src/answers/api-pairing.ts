import * as z from 'zod';
import { component, time, type AnswerOf, text, optional } from '../schema/api-parts.ts';

const source = z.string();

const offers = z
  .array(
    component('PairingOffer', 'The sender of a key.', {
      at: time,
      address: optional(z.string().max(64), 'Its IP address.'),
      user_agent: optional(z.string().max(120), 'The user agent of the sender.'),
    }),
  )
  .max(2);

const found = { source, expires_at: time };

export const pairing = z
  .discriminatedUnion('state', [
    z.object({ source, state: z.literal('closed') }).meta({ id: 'PairingClosed' }),
    z.object({ ...found, state: z.literal('open') }).meta({ id: 'PairingOpen' }),
    component('PairingVoid', 'Two different keys arrived, so both are discarded.', {
      ...found,
      state: z.literal('void'),
      offers,
      hint: text('Instructions for the next step.'),
    }),
    // After the others: who reads it takes a state of a list for any text.
    component('PairingCaptured', 'A key arrived. `taken`: it was shown and is not stored.', {
      ...found,
      state: z.enum(['captured', 'taken']),
      offers,
    }),
  ])
  .meta({ id: 'Pairing', description: 'The state of a source’s pairing window.' });

export const pairedKey = component('PairedKey', 'The key that a provider handed over.', {
  ...found,
  state: z.literal('taken'),
  offers,
  secret: text('The key. It is shown only once.'),
  hint: text('The place where the key belongs.'),
});

export type PairingAnswer = AnswerOf<typeof pairing>;
