import * as z from 'zod';
import { silenceSchema } from '../config/documents/alerting-schema.ts';
import { count, pageOf, time, type AnswerOf } from '../schema/api-parts.ts';

const id = z.string().meta({ description: 'Its name, or, if it was added by hand, its id: `sil_…`.' });
const state = z.enum(['pending', 'active', 'ended']).meta({
  description: 'A silence with `every` is `pending` outside its hours.',
});

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

const { of, when, from, until, every, reason } = silenceSchema.shape;

const times = { state, of, when, from, until, reason };

const document = z
  .object({ id, origin: z.literal('document'), ...times, every })
  .meta({ id: 'ListedSilence', description: 'A silence from a document, with its name.' });

export const byHand = z
  .object({
    id,
    origin: z.literal('hand'),
    ...times,
    by: z.string().meta({
      description:
        'The person who added it: the name given at sign-in, `token` or `operator`, or the identity from Cloudflare Access.',
    }),
    created_at: time,
    ended_at: time.optional().meta({ description: 'The time when a person ended it early.' }),
  })
  .meta({ id: 'SilenceByHand', description: 'A silence that was added by hand.' });

export type ByHandAnswer = AnswerOf<typeof byHand>;

const listed = z.discriminatedUnion('origin', [byHand, document]);

export type ListedSilence = AnswerOf<typeof listed>;

export const silencePage = pageOf(
  listed,
  'SilencePage',
  'All silences. Those that were added by hand are listed for a week after their end.',
);

export const addedSilence = byHand
  .extend(silenceLook.shape)
  .meta({ id: 'AddedSilence', description: 'A silence that was just added, and its effect now.' });
