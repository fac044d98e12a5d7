import * as z from 'zod';
import { silenceSchema } from '../config/documents/alerting-schema.ts';
import { component, count, pageOf, time, type AnswerOf, text, optional } from '../schema/api-parts.ts';

const id = text('Its name, or, if it was added by hand, its id: `sil_…`.');
const state = z
  .enum(['pending', 'active', 'ended'])
  .describe('A silence with `every` is `pending` outside its hours.');

export const silenceLook = component('SilencePreview', 'The effect that a silence would have now.', {
  open: count.describe('The number of open incidents.'),
  matches: count.describe('The number of them that it matches. 0: check its names.'),
  warnings: z.array(z.string()).describe('Fields in the condition that no recent event has.'),
});

export type SilencePreview = AnswerOf<typeof silenceLook>;

const { of, when, from, until, every, reason } = silenceSchema.shape;

const times = { state, of, when, from, until, reason };

const document = component('ListedSilence', 'A silence from a document, with its name.', {
  id,
  origin: z.literal('document'),
  ...times,
  every,
});

export const byHand = component('SilenceByHand', 'A silence that was added by hand.', {
  id,
  origin: z.literal('hand'),
  ...times,
  by: text(
    'The person who added it: the name given at sign-in, `token` or `operator`, or the identity from Cloudflare Access.',
  ),
  created_at: time,
  ended_at: optional(time, 'The time when a person ended it early.'),
});

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
