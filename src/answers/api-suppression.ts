import { component, messageId, pageOf, time, type AnswerOf, text, optional } from '../schema/api-parts.ts';

export const suppression = component('Suppression', 'A receiver who has opted out.', {
  phone: text('The receiver: a number in digits, or an address.'),
  at: time.describe('The time when it was added.'),
  by: text('The person who added it: a user of the relay, or the receiver.'),
  reason: text('The reason, for people.'),
  message: optional(
    messageId,
    'The message whose stop link the receiver pressed; absent: it was added by hand.',
  ),
});

export const suppressionPage = pageOf(
  suppression,
  'SuppressionPage',
  'Receivers who have opted out, newest first.',
);

export type Suppression = AnswerOf<typeof suppression>;
