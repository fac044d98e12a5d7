import remedies from '../../assets/remedies.json' with { type: 'json' };
import { FIELD_ERRORS, FINDINGS, REASONS, REJECTIONS, type Explained } from '../../src/lib/api-codes.ts';
import { CAUSES } from '../../src/lib/reason.ts';
import { PROBLEM_NAMES, problemOf } from '../../api-docs/problems.ts';
import { code, table } from './page.ts';

const namesOf = (params?: string): string => params?.split(' ').map(code).join(', ') ?? '';

const rows = (all: Readonly<Record<string, Explained>>) =>
  Object.entries(all).map(([name, [what, fix, params]]) => [code(name), what, fix, namesOf(params)]);
const fixes: Readonly<Record<string, string>> = remedies;
const rejections = Object.entries(REJECTIONS).map(([name, what]) => [code(name), what, fixes[name] ?? '']);
const findings = Object.entries(FINDINGS).map(([name, [what, params]]) => [
  code(name),
  what,
  namesOf(params),
]);
const problems = PROBLEM_NAMES.map(problemOf).map(({ status, type, when }) => [
  String(status),
  code(type),
  when,
]);

export const errorsPage = `# Errors

<!-- Made by \`npm run docs\` from src/lib/api-codes.ts and api-docs/problems.ts. -->

Each error has a \`code\`, which stays the same, and an English sentence, which may change. Programs and translations read
the code; \`params\` has the values in the sentence, as texts.

## Errors and warnings in documents and requests

These are the codes of \`errors\` and \`warnings\`, where \`path\` says what they are about.

${table(['code', 'what is wrong', 'what to do', 'params'], rows(FIELD_ERRORS))}

## Findings of the doctor

These are the codes of \`checks\`; \`remedy\` says what to do.

${table(['code', 'what was found', 'params'], findings)}

## Reasons of messages

These are the codes of messages, whose values are in \`reason_params\`, of their \`attempts\`, of what they wait for
(\`waits\`), and of an account's \`paused\` and \`circuit.last_error\`.

${table(['code', 'what happened', 'what to do', 'params'], rows(REASONS))}

\`cause\` is more exact than the code, and has a sentence of its own; \`words\` are the gateway's.

${table(
  ['cause', 'what happened'],
  Object.entries(CAUSES).map(([cause, what]) => [code(cause), what]),
)}

## Refused webhooks

These are the codes of \`GET /rejections\`; \`detail\` is the sentence. Senders do not get them.

${table(['code', 'what is wrong', 'what to do'], rejections)}

## Refusals of the admin API

\`code\` of a problem (RFC 9457); its \`type\` is \`urn:hookbell:problem:\` and the code.

${table(['status', 'code', 'when'], problems)}
`;
