import * as z from 'zod';
import { FINDINGS } from '../../lib/api-codes.ts';
import { keyOf, time, type AnswerOf } from '../../schema/api-parts.ts';

const check = z
  .object({
    id: z.string().meta({ description: 'A stable id, such as `secret:STRIPE_SECRET`.' }),
    status: z.enum(['ok', 'warn', 'fail', 'unknown']).meta({
      description: '`unknown`: the check could not decide.',
    }),
    title: z.string().meta({ description: 'The name of the check.' }),
    code: keyOf(FINDINGS).meta({ description: 'What was found: docs/errors.md lists the codes.' }),
    params: z
      .record(z.string(), z.string())
      .optional()
      .meta({ description: 'The values of the finding, as texts.' }),
    detail: z.string().meta({ description: 'The result.' }),
    remedy: z.string().optional().meta({ description: 'Instructions to fix it.' }),
  })
  .meta({ id: 'Check', description: 'The result of one check.' });

export type ShownCheck = AnswerOf<typeof check>;
export type CheckStatus = ShownCheck['status'];

export const diagnosis = z
  .object({
    version: z.string().meta({ description: 'The version of hookbell.' }),
    now: time.meta({ description: 'The time of the relay’s clock.' }),
    checks: z.array(check).meta({ description: 'Most important first.' }),
  })
  .meta({ id: 'Diagnosis', description: 'The checks of a deployment.' });
