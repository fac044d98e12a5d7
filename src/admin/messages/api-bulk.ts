import * as z from 'zod';
import { count } from '../../schema/api-parts.ts';

export const cancelledMany = z
  .object({
    cancelled: count.meta({ description: 'The number of messages that were or would be cancelled.' }),
    in_flight: count.meta({
      description: 'The number of messages that were skipped because they were in flight.',
    }),
    looked_at: count.meta({ description: 'The number of messages that were examined.' }),
    next_cursor: z.string().nullable().meta({ description: 'The `cursor` of the next call; null: done.' }),
  })
  .meta({ id: 'Cancelled' });

export const retried = z
  .object({
    retried: count.meta({ description: 'The number of messages that are or would be retried.' }),
    phones: z
      .array(z.string())
      .max(2_000)
      .optional()
      .meta({ description: 'The receivers of these messages, up to 2,000. Only in a dry run.' }),
    more: z
      .boolean()
      .meta({ description: '`true`: more messages are left than one call retries. Ask again.' }),
    next_cursor: z.string().nullable().meta({
      description:
        'Where the next call continues, as its `cursor`; null: all were looked at. Without it the next call begins at the oldest again.',
    }),
  })
  .meta({ id: 'Retried' });
