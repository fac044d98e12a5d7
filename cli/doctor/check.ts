import * as z from 'zod/mini';
import { outsideTitle } from '../../shared/doctor/outside.ts';
import type { Cli } from '../command.ts';
import type { Output } from '../output.ts';
import { shortTime } from '../show.ts';
import { count, safe, wrap } from '../text.ts';

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

/** A check that the relay cannot make itself. */
export const outsideCheck = (
  id: Parameters<typeof outsideTitle>[0],
  status: CheckResult['status'],
  code: string,
  detail: string,
  remedy?: string,
): CheckResult => ({
  id,
  status,
  title: outsideTitle(id),
  code,
  detail,
  ...(remedy !== undefined && { remedy }),
});

/** A check with a remedy that works where the relay runs, and can be pasted; a detail may say what to do, too. */
export const withRemedy = ({ pasteIn }: Pick<Cli, 'pasteIn'>, check: CheckResult): CheckResult => ({
  ...check,
  detail: pasteIn(check.detail),
  ...(check.remedy !== undefined && { remedy: pasteIn(check.remedy) }),
});

/** The answer of `GET /doctor`. */
export const report = z.object({ version: z.string(), now: z.string(), checks: z.array(check) });

export type DoctorReport = z.output<typeof report>;

/** By status: a sign, its colour, and the word of the summary. */
const SIGNS = {
  ok: ['✓', 'green', 'fine'],
  fail: ['✗', 'red', 'failed'],
  warn: ['!', 'yellow', 'to review'],
  unknown: ['?', 'cyan', 'unknown'],
} as const;

/** The width of titles. A longer one moves only its own text to the right. */
const MAX_TITLE = 26;

export function showChecks(out: Output, checks: readonly CheckResult[]): void {
  const width = Math.min(MAX_TITLE, Math.max(...checks.map(({ title }) => title.length)));
  for (const one of checks) showCheck(out, one, width);
  out.line();
  out.line(summary(checks));
}

/** Times in a text of the relay, as this machine's clock shows them. */
const withTimes = (text: string): string =>
  text.replaceAll(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, (iso) => shortTime(iso));

function showCheck(out: Output, { status, title, detail, remedy }: CheckResult, width: number): void {
  const [sign, colour] = SIGNS[status];
  const isLong = title.length > width;
  const [first = '', ...more] = wrap(safe(withTimes(detail)), Math.max(30, out.columns - width - 4));
  const head = `${out.style(colour, sign)} ${status === 'ok' ? title.padEnd(width) : out.style('bold', title.padEnd(width))}`;
  const indent = ' '.repeat(width + 4);
  out.line(isLong ? head : `${head}  ${first}`);
  for (const line of isLong ? [first, ...more] : more) out.line(indent + line);
  if (remedy === undefined) return;
  // Indented less than the rest: a command that is broken over lines cannot be copied.
  const [start = '', ...rest] = wrap(safe(withTimes(remedy)), Math.max(30, out.columns - 6));
  out.line(`    ${out.style('cyan', '→')} ${start}`);
  for (const line of rest) out.line(`      ${line}`);
}

/** `14 checks: 11 fine, 1 failed, 2 to review`. */
export function summary(checks: readonly CheckResult[]): string {
  const parts = Object.entries(SIGNS).flatMap(([status, [, , word]]) => {
    const n = checks.filter((check) => check.status === status).length;
    return n > 0 || status === 'ok' ? [`${n} ${word}`] : [];
  });
  return `${count(checks.length, 'check')}: ${parts.join(', ')}`;
}
