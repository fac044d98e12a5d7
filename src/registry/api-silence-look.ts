import * as z from 'zod';
import { count, type AnswerOf } from '../schema/api-parts.ts';

export const silenceId = z
  .string()
  .meta({ description: 'Its name, or, if it was added by hand, its id: `sil_…`.' });
export const silenceState = z.enum(['pending', 'active', 'ended']).meta({
  description: 'A silence with `every` is `pending` outside its hours.',
});

/** The number of open incidents that a silence would hold back. */
export const silenceLook = z
  .object({
    open: count.meta({ description: 'The number of open incidents.' }),
    matches: count.meta({
      description: 'The number of them that it matches. 0: check its names.',
    }),
    warnings: z.array(z.string()).meta({
      description: 'Fields in the condition that no recent event has.',
    }),
  })
  .meta({ id: 'SilencePreview', description: 'The effect that a silence would have now.' });

export type SilencePreview = AnswerOf<typeof silenceLook>;
