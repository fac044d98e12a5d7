import * as z from 'zod/mini';
import type { Cli } from '../command.ts';

/** The result of one check, by the relay itself or from here. */
const check = z.object({
  id: z.string(),
  status: z.enum(['ok', 'warn', 'fail', 'unknown']),
  title: z.string(),
  code: z.string(),
  params: z.optional(z.record(z.string(), z.string())),
  detail: z.string(),
  remedy: z.optional(z.string()),
});

export type CheckResult = z.output<typeof check>;

/** A check with a remedy that works where the relay runs, and can be pasted; a detail may say what to do, too. */
export const withRemedy = ({ pasteIn }: Pick<Cli, 'pasteIn'>, check: CheckResult): CheckResult => ({
  ...check,
  detail: pasteIn(check.detail),
  ...(check.remedy !== undefined && { remedy: pasteIn(check.remedy) }),
});

/** The answer of `GET /doctor`. */
export const report = z.object({ version: z.string(), now: z.string(), checks: z.array(check) });

export type DoctorReport = z.output<typeof report>;
