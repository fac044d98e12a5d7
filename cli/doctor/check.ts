import * as z from 'zod/mini';

/** The result of one check, by the relay itself or from here. */
const check = z.object({
  id: z.string(),
  status: z.enum(['ok', 'warn', 'fail', 'unknown']),
  title: z.string(),
  detail: z.string(),
  remedy: z.optional(z.string()),
});

export type Check = z.output<typeof check>;

/** The answer of `GET /doctor`. */
export const report = z.object({ version: z.string(), now: z.string(), checks: z.array(check) });

export type Report = z.output<typeof report>;
