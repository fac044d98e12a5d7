import * as z from 'zod';
import { messageId, pageOf, time, type AnswerOf } from '../schema/api-parts.ts';

export const suppression = z
  .object({
    phone: z.string().meta({ description: 'The receiver: a number in digits, or an address.' }),
    at: time.meta({ description: 'The time when it was added.' }),
    by: z.string().meta({ description: 'The person who added it: a user of the relay, or the receiver.' }),
    reason: z.string().meta({ description: 'The reason, for people.' }),
    message: messageId.optional().meta({
      description: 'The message whose stop link the receiver pressed; absent: it was added by hand.',
    }),
  })
  .meta({ id: 'Suppression', description: 'A receiver who has opted out.' });

export const suppressionPage = pageOf(
  suppression,
  'SuppressionPage',
  'Receivers who have opted out, newest first.',
);

export type Suppression = AnswerOf<typeof suppression>;
