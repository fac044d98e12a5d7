import remedies from '../../assets/remedies.json' with { type: 'json' };
import { FIELD_ERRORS, FINDINGS, REASONS, REJECTIONS, type Explained } from '../../src/lib/api-codes.ts';
import { CAUSES } from '../../src/lib/reason.ts';
import { PROBLEM_NAMES, problemOf } from '../../api-docs/problems.ts';
import { code, table, type Sections } from './page.ts';

const namesOf = (params?: string): string => params?.split(' ').map(code).join(', ') ?? '';

const rows = (all: Readonly<Record<string, Explained>>) =>
  Object.entries(all).map(([name, [what, fix, params]]) => [code(name), what, fix, namesOf(params)]);
const fixes: Readonly<Record<string, string>> = remedies;

/** The codes of docs/errors.md, from src/lib/api-codes.ts and api-docs/problems.ts. */
export const errorSections = (): Sections => ({
  'codes of fields': table(['code', 'what is wrong', 'what to do', 'params'], rows(FIELD_ERRORS)),
  'codes of findings': table(
    ['code', 'what was found', 'params'],
    Object.entries(FINDINGS).map(([name, [what, params]]) => [code(name), what, namesOf(params)]),
  ),
  'codes of reasons': table(['code', 'what happened', 'what to do', 'params'], rows(REASONS)),
  causes: table(
    ['cause', 'what happened'],
    Object.entries(CAUSES).map(([cause, what]) => [code(cause), what]),
  ),
  'codes of rejections': table(
    ['code', 'what is wrong', 'what to do'],
    Object.entries(REJECTIONS).map(([name, what]) => [code(name), what, fixes[name] ?? '']),
  ),
  'codes of problems': table(
    ['status', 'code', 'when'],
    PROBLEM_NAMES.map(problemOf).map(({ status, type, when }) => [String(status), code(type), when]),
  ),
});
