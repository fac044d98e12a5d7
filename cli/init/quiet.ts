import { quietSchema } from '../../src/config/documents/alerting-schema.ts';
import { err, ok, type Result } from '../../src/lib/result.ts';
import type { ProviderStarterOutline, QuietHours } from '../../shared/new-source/plan.ts';

/** True if its routes are about problems that open and resolve, at any hour. */
export const isAlerting = ({ routes }: ProviderStarterOutline['starter']): boolean =>
  routes.some((route) => route['incident'] !== undefined);

/** Reads `22:00-07:00`. Null if the text is empty. */
export function readQuiet(text: string): Result<QuietHours | null, string> {
  if (text.trim() === '') return ok(null);
  const [, from, to] = /^\s*(\d{1,2}:\d\d)\s*(?:-|–|to)\s*(\d{1,2}:\d\d)\s*$/.exec(text) ?? [];
  if (from === undefined || to === undefined) return err('must be quiet hours such as 22:00-07:00');
  const hours = { from: from.padStart(5, '0'), to: to.padStart(5, '0') };
  const issue = quietSchema.safeParse(hours).error?.issues[0];
  return issue === undefined
    ? ok(hours)
    : err(`cannot be quiet hours: \`${issue.path.join('.')}\` ${issue.message}`);
}
