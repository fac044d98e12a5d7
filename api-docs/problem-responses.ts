import type { oas32 } from 'zod-openapi';
import { componentOf } from './component-schemas.ts';
import {
  PROBLEMS,
  typeOf,
  WITH_BODY,
  WITH_LOGIN,
  type DescribedProblem,
  type ProblemName,
} from './problems.ts';
import { ROUTES } from './routes.ts';
import { refTo } from '../src/schema/api-parts.ts';
import { problem } from '../src/schema/api-problem.ts';
import type { RouteSpec } from './spec.ts';

const PROBLEM_JSON = 'application/problem+json';

/** All errors that a route can answer with. */
export const problemsOf = ({ role, body, problems = [] }: RouteSpec): readonly ProblemName[] => [
  ...(role === null ? [] : WITH_LOGIN),
  ...(body === undefined ? [] : WITH_BODY),
  'invalid',
  ...problems,
];

/** The errors of a route by their statuses: each set of them is one component. */
export const problemResponses = (names: readonly ProblemName[]): oas32.ResponsesObject =>
  Object.fromEntries(
    byStatus(names).map(([status, same]) => [
      String(status),
      { $ref: `#/components/responses/${responseName(same)}` },
    ]),
  );

const byStatus = (names: readonly ProblemName[]) => [...Map.groupBy(names, (name) => PROBLEMS[name].status)];

/** `InvalidOrInvalidConfiguration`. */
const responseName = (names: readonly ProblemName[]): string =>
  names
    .map((name) => name.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase()))
    .join('Or');

/** Each set of errors that a route has under one status. */
export function sharedResponses(): Record<string, oas32.ResponseObject> {
  const all = ROUTES.flatMap((route) => byStatus(problemsOf(route)));
  return Object.fromEntries(
    all.map(([status, names]) => [responseName(names), problemResponse(status, names)]),
  );
}

function problemResponse(status: number, names: readonly ProblemName[]): oas32.ResponseObject {
  const headers = PROBLEM_HEADERS[status];
  return {
    description: names.map((name) => `\`${typeOf(name)}\`: ${PROBLEMS[name].when}`).join('\n\n'),
    ...(headers !== undefined && { headers }),
    content: {
      [PROBLEM_JSON]: {
        schema: refTo(componentOf(problem)),
        examples: Object.fromEntries(names.map((name) => [name, { value: problemExample(name) }])),
      },
    },
  };
}

const retryAfter = { 'Retry-After': { description: 'Seconds.', schema: { type: 'integer' as const } } };
const PROBLEM_HEADERS: Readonly<Record<number, oas32.HeadersObject>> = {
  401: { 'WWW-Authenticate': { description: '`Bearer`.', schema: { type: 'string' } } },
  412: { ETag: { description: 'The active version.', schema: { type: 'string' } } },
  429: retryAfter,
  503: retryAfter,
};

function problemExample(name: ProblemName): object {
  const { detail, errors, type, title, status }: DescribedProblem = PROBLEMS[name];
  return {
    detail,
    ...(errors && { errors }),
    type: `urn:hookbell:problem:${type}`,
    code: type,
    title,
    status,
  };
}
