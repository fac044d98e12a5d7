import * as z from 'zod';
import { time, type AnswerOf } from '../../schema/api-parts.ts';

/** What the doctor finds, for programs and translations. `api-docs/errors.ts` describes each. */
export const DOCTOR_CODES = [
  'delivering',
  'paused',
  'receivers-at-limit',
  'escape-failed',
  'outbox-full',
  'outbox-filling',
  'given-up',
  'uncertain',
  'long-queue',
  'nothing-published',
  'version-invalid',
  'version-active',
  'moved',
  'copy-right',
  'copy-empty',
  'copy-behind',
  'address-missing',
  'address-malformed',
  'address-plain',
  'address-right',
  'address-unlisted',
  'gateway-accepts',
  'gateway-untested',
  'login-refused',
  'gateway-forbids',
  'gateway-redirects',
  'gateway-unreachable',
  'gateway-busy',
  'gateway-silent',
  'no-api',
  'login-untested',
  'clock-right',
  'clock-wrong',
  'override-ended',
  'account-refused',
  'gateway-failed',
  'gateway-failing',
  'none-refused',
  'refused',
  'secrets-set',
  'secret-missing',
  'token-ignored',
  'token-short',
  'token-shared',
  'access-unreadable',
  'variable-ignored',
  'sources-sending',
  'source-open',
  'form-open',
  'form-limited',
  'heartbeat-late',
  'never-sent',
  'source-silent',
  'not-urgent',
  'device-unwatched',
  'gateway-unwatched',
  'not-probed',
  'not-checked',
] as const;

export type DoctorCode = (typeof DOCTOR_CODES)[number];

const check = z
  .object({
    id: z.string().meta({ description: 'A stable id, such as `secret:STRIPE_SECRET`.' }),
    status: z.enum(['ok', 'warn', 'fail', 'unknown']).meta({
      description: '`unknown`: the check could not decide.',
    }),
    title: z.string().meta({ description: 'The name of the check.' }),
    code: z.enum(DOCTOR_CODES).meta({ description: 'What was found: docs/errors.md lists the codes.' }),
    params: z
      .record(z.string(), z.string())
      .optional()
      .meta({ description: 'The values of the finding, as texts.' }),
    detail: z.string().meta({ description: 'The result.' }),
    remedy: z.string().optional().meta({ description: 'Instructions to fix it.' }),
  })
  .meta({ id: 'Check', description: 'The result of one check.' });

/** A check as the API shows it. Its id may be any text. */
export type ShownCheck = AnswerOf<typeof check>;
export type CheckStatus = ShownCheck['status'];

export const diagnosis = z
  .object({
    version: z.string().meta({ description: 'The version of hookbell.' }),
    now: time.meta({ description: 'The time of the relay’s clock.' }),
    checks: z.array(check).meta({ description: 'Most important first.' }),
  })
  .meta({ id: 'Diagnosis', description: 'The checks of a deployment.' });
