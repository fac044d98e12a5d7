import { exports } from 'cloudflare:workers';
import * as z from 'zod';
import { describeApi } from '../../api-docs/document.ts';
import { problemOf, problemsOf, typeOf } from '../../api-docs/problems.ts';
import { ROUTES, type RouteSpec } from '../../api-docs/routes.ts';
import { ownValue } from '../../src/lib/json.ts';
import { problem } from '../../src/schema/api-parts.ts';
import { checker } from './fits.ts';

const API = 'https://relay.example/admin/api/v1';
const TOKEN = 'admin-token-of-the-tests';

const document = describeApi('0.0.0');
const errors = checker(document, { strict: true });

/** Returns the errors of a value by a schema that has a name. */
export const misfits = (component: string, value: unknown): readonly string[] =>
  errors({ $ref: `#/components/schemas/${component}` }, value);

/** A request to a route. */
export interface Ask {
  /** The values in its path, in order. */
  readonly at?: readonly (string | number)[];
  readonly query?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly token?: null;
}

/** An answer that is known to match the description. */
export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
  /** The name behind `urn:hookbell:problem:`. */
  readonly problem: string | null;
}

/** The answers that were seen, with their routes: `listEvents 200`, `listEvents invalid`. */
export const seen = new Set<string>();

/** Every route by its operation's id. */
export const routes: ReadonlyMap<string, RouteSpec> = new Map(ROUTES.map((route) => [route.id, route]));

/** Asks a route, and throws unless its answer is one that the description has. */
export async function ask(id: string, given: Ask = {}): Promise<Answered> {
  const route = routes.get(id);
  if (route === undefined) throw new Error(`there is no route ${id}`);
  const response = await exports.default.fetch(request(route, given));
  const answered = await read(response);
  const wrong = answered.status < 400 ? wrongAnswer(route, answered) : wrongProblem(route, answered);
  if (wrong.length > 0)
    throw new Error(`${id} ${answered.status}: ${wrong.join('; ')}\n${JSON.stringify(answered.body)}`);
  seen.add(`${id} ${answered.problem ?? answered.status}`);
  return answered;
}

function request({ method, path }: RouteSpec, { at = [], query = '', body, headers, token }: Ask): Request {
  const parts = [...at];
  const filled = path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(parts.shift() ?? 'none'));
  return new Request(`${API}${filled}${query}`, {
    method,
    headers: { ...(token !== null && { authorization: `Bearer ${TOKEN}` }), ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
}

async function read(response: Response): Promise<Answered> {
  const { status, headers } = response;
  const isJson = headers.get('content-type')?.includes('json') === true;
  const text = await response.text();
  const body: unknown = isJson ? JSON.parse(text) : text;
  const parsed = status < 400 ? null : problem.safeParse(body);
  const type = parsed?.success === true ? parsed.data.type : null;
  return { status, headers, body, problem: type?.replace('urn:hookbell:problem:', '') ?? null };
}

const described = z.record(
  z.string(),
  z.object({ content: z.record(z.string(), z.object({ schema: z.unknown() })).optional() }),
);

function wrongAnswer(
  { path, method, answer }: RouteSpec,
  { status, headers, body }: Answered,
): readonly string[] {
  if (answer.status !== status) return ['a status that is not described'];
  const missing = Object.keys(answer.headers ?? {}).filter((name) => !headers.has(name));
  const type = headers.get('content-type')?.split(';')[0] ?? '';
  const media = answer.mediaType ?? (answer.schema === undefined ? type : 'application/json');
  const operation: unknown = Reflect.get(document.paths?.[path] ?? {}, method.toLowerCase());
  const schema = described.safeParse(ownValue(operation, 'responses')).data?.[status]?.content?.[
    'application/json'
  ]?.schema;
  return [
    ...missing.map((name) => `no header ${name}`),
    ...(type === media ? [] : [`${type} in place of ${media}`]),
    ...(schema === undefined ? [] : errors(schema, body)),
  ];
}

function wrongProblem(
  route: RouteSpec,
  { status, headers, body, problem: type }: Answered,
): readonly string[] {
  const described = problemsOf(route).filter((name) => typeOf(name) === type);
  const said = problem.safeParse(body).data;
  return [
    ...(described.length > 0 ? [] : ['an error that is not described']),
    ...(described.some((name) => problemOf(name).title === said?.title) ? [] : ['another title']),
    ...(headers.get('content-type') === 'application/problem+json' ? [] : ['no problem+json']),
    ...(said?.status === status ? [] : ['another status in the body']),
    ...misfits('Problem', body),
  ];
}
