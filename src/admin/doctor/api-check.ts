import * as z from 'zod';
import { FINDINGS } from '../../lib/api-codes.ts';
import { component, keyOf, time, type AnswerOf, text, optional } from '../../schema/api-parts.ts';

const check = component('Check', 'The result of one check.', {
  id: text('A stable id, such as `secret:STRIPE_SECRET`.'),
  status: z.enum(['ok', 'warn', 'fail', 'unknown']).describe('`unknown`: the check could not decide.'),
  title: text('The name of the check.'),
  code: keyOf(FINDINGS).describe('What was found: docs/errors.md lists the codes.'),
  params: optional(z.record(z.string(), z.string()), 'The values of the finding, as texts.'),
  detail: text('The result.'),
  remedy: text('Instructions to fix it.').optional(),
});

export type ShownCheck = AnswerOf<typeof check>;
export type CheckStatus = ShownCheck['status'];

export const diagnosis = component('Diagnosis', 'The checks of a deployment.', {
  version: text('The version of hookbell.'),
  now: time.describe('The time of the relay’s clock.'),
  checks: z.array(check).describe('Most important first.'),
});
