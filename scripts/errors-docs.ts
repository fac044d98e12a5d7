import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { FIELD_ERRORS } from '../api-docs/errors.ts';
import { PROBLEMS } from '../api-docs/problems.ts';
import { table } from './page-section.ts';

const TARGET = join(import.meta.dirname, '../docs/errors.md');
const asCode = (text: string): string => `\`${text}\``;

const fieldErrors = Object.entries(FIELD_ERRORS).map(([code, { what, fix, params = [] }]) => [
  asCode(code),
  what,
  fix,
  params.map(asCode).join(', '),
]);
const problems = Object.values(PROBLEMS).map(({ status, type, when }) => [
  String(status),
  asCode(type),
  when,
]);

const page = `# Errors

<!-- Made by \`npm run docs:errors\` from api-docs/errors.ts and api-docs/problems.ts. -->

Each error has a \`code\`, which stays the same, and an English sentence, which may change. Programs and translations read
the code; \`params\` has the values in the sentence, as texts.

## Errors and warnings in documents and requests

These are the codes of \`errors\` and \`warnings\`, where \`path\` says what they are about.

${table(['code', 'what is wrong', 'what to do', 'params'], fieldErrors)}

## Refusals of the admin API

\`code\` of a problem (RFC 9457); its \`type\` is \`urn:hookbell:problem:\` and the code.

${table(['status', 'code', 'when'], problems)}
`;

/** `npm run docs:errors`: writes docs/errors.md. With `--check` nothing is written, and it fails when the page is stale. */
const made = await format(page, { ...(await resolveConfig(TARGET)), parser: 'markdown' });
if (!process.argv.includes('--check')) writeFileSync(TARGET, made);
else if (readFileSync(TARGET, 'utf8') !== made) {
  process.stderr.write('docs/errors.md is stale: npm run docs:errors\n');
  process.exitCode = 1;
}
