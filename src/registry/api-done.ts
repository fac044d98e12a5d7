import * as z from 'zod';
import { pageOf, time, type AnswerOf } from '../schema/api-parts.ts';

/** A card of the console that somebody is done with. */
export const done = z
  .object({
    card: z.string().meta({ description: 'The subject of the card, such as `incidents:monitor`.' }),
    mark: z.number().min(0).meta({
      description:
        'The `mark` with which it was marked as done. The card is shown again when its mark is higher.',
    }),
    by: z.string(),
    at: time,
  })
  .meta({ id: 'Done', description: 'A card of the console’s first page that somebody has marked as done.' });

export const donePage = pageOf(done, 'DonePage', 'The cards that are done, newest first.');

export type DoneCard = AnswerOf<typeof done>;
