import * as z from 'zod';
import { eventSummary } from '../../outbox/answers/api-event.ts';
import { message, messageState } from '../../outbox/answers/api-message.ts';
import { rejection } from '../../registry/api-rejection.ts';
import { messageId, type AnswerOf } from '../../schema/api-parts.ts';

const foundEvent = eventSummary
  .extend({
    sent_to_it: z
      .array(z.object({ id: messageId, state: messageState }))
      .meta({ description: 'Its messages to the number.' }),
    why: z.string().optional().meta({
      description:
        'The reason why nothing was sent to the number. Absent: something was, or its payload is gone.',
    }),
  })
  .meta({ id: 'FoundEvent', description: 'An event whose payload contains the number.' });

export type FoundEvent = AnswerOf<typeof foundEvent>;

export const foundNumber = z
  .object({
    messages: z.array(message).max(50),
    events: z.array(foundEvent).max(20),
    rejections: z.array(rejection).max(20),
    complete: z.boolean().meta({
      description:
        '`false`: there are more results than fit into one answer, or older events that were not searched.',
    }),
  })
  .meta({ id: 'FoundNumber', description: 'Everything about a number, newest first.' });
