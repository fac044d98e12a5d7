import { type oas32, createSchema } from 'zod-openapi';
import {
  componentSchemas,
  OPENAPI,
  asWhole,
  componentOf,
  durationBounds,
  showBounds,
  enrich,
} from './components.ts';
import { sharedResponses, problemResponses, problemsOf } from './problems.ts';
import { ROUTES, type RouteSpec } from './routes.ts';
import { TAGS, type DescribedAnswer, type ApiParameter } from './spec.ts';
import packageFile from '../package.json' with { type: 'json' };
import { ROLES, type Role } from '../src/admin/auth/tokens.ts';
import { isOptional } from './groups.ts';
import { refTo } from '../src/schema/api-parts.ts';

type Document = oas32.OpenAPIObject;

export function describeApi(version: string): Document {
  const document: Document = {
    openapi: OPENAPI,
    info: {
      title: 'hookbell admin API',
      version,
      summary: 'Point any SaaS webhook at it; a phone gets the message.',
      description: ABOUT,
    },
    servers: [{ url: '/admin/api/v1', description: 'This deployment' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    security: [{ token: [] }, { session: [] }, { access: [] }],
    paths: paths(),
    components: { schemas: componentSchemas(), responses: sharedResponses(), securitySchemes: SECURITY },
  };
  enrich(document);
  return document;
}

const ABOUT = `Publishes a relay's configuration, shows its events and messages, and operates it.

Every error is \`application/problem+json\` (RFC 9457). Lists are \`{items, next_cursor}\`: continue with \`cursor\` until \`next_cursor\` is null; any page may have fewer items than \`limit\`. An unknown query parameter is an error, since a misspelt filter would return everything. Times are ISO 8601 in UTC; durations are a number with \`ms\`, \`s\`, \`m\`, \`h\` or \`d\`. No answer may be cached.

\`x-role\` is the lowest role that may call a route: \`viewer\`, \`operator\`, \`editor\`. Answers to a viewer have the same shape. Numbers in them are masked (\`+4915•••••78\`), also in documents, where a masked number is not valid. The word \`hidden\` replaces texts from webhooks, keys made from them, the values of \`params\`, reasons, and the gateway's answers. \`payload\`, \`headers\` and \`query\` are null.`;

const SECURITY = {
  token: {
    type: 'http',
    scheme: 'bearer',
    description:
      'The value of the Worker secret `ADMIN_TOKEN` (an editor), `OPERATOR_TOKEN` or `VIEWER_TOKEN`.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-hookbell',
    description:
      'A session from `POST /session`; on `http://localhost` the cookie is named `hookbell`. Methods other than `GET` and `HEAD` need the `Origin` of this host.',
  },
  access: {
    type: 'apiKey',
    in: 'header',
    name: 'Cf-Access-Jwt-Assertion',
    description: 'Set by Cloudflare Access, if the relay is behind it.',
  },
} as const;

function paths(): oas32.PathsObject {
  const found: Record<string, Record<string, oas32.OperationObject>> = {};
  for (const route of ROUTES) {
    const { path } = route;
    const method = route.method.toLowerCase();
    const item = (found[path] ??= {});
    if (item[method] !== undefined) throw new Error(`${method} ${path} is described twice`);
    item[method] = operation(route);
  }
  return found;
}

/** Committed, so that its changes are seen. */
export const OPENAPI_FILE = 'assets/admin/openapi.json';

export const openapiFile = (): string => `${JSON.stringify(describeApi(packageFile.version), null, 1)}\n`;

export function operation(route: RouteSpec): oas32.OperationObject {
  const { id, tag, summary, body, role } = route;
  const description = [route.description, role === null ? undefined : roleSentence(route, role)];
  const said = description.filter((one) => one !== undefined).join('\n\n');
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(said !== '' && { description: said }),
    ...(role !== null && { 'x-role': role }),
    ...(role === null && { security: [] }),
    ...withParameters(route),
    ...(body !== undefined && { requestBody: requestBody(body) }),
    responses: {
      [route.answer.status]: response(route.answer),
      ...problemResponses(problemsOf(route)),
    },
  };
}

function roleSentence({ guesses }: RouteSpec, role: Role): string {
  const more = ROLES.slice(ROLES.indexOf(role)).map((one) => `\`${one}\``);
  const except =
    guesses.length > 0 ? `; viewers may not use ${guesses.map((name) => `\`${name}\``).join(' and ')}` : '';
  return `Roles: ${more.join(', ')}${except}.`;
}

function withParameters({ path, query, headers = [] }: RouteSpec): Pick<oas32.OperationObject, 'parameters'> {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => pathParameter(path, name));
  const parameters = [...inPath, ...parametersIn('query', query), ...parametersIn('header', headers)];
  return parameters.length === 0 ? {} : { parameters };
}

const parametersIn = (place: 'query' | 'header', given: readonly ApiParameter[]): oas32.ParameterObject[] =>
  given.map(({ name, schema, description, example }) => ({
    name,
    in: place,
    required: !isOptional(schema),
    description: description + durationBounds(schema),
    schema: createSchema(schema, {
      io: 'input',
      openapiVersion: OPENAPI,
      opts: {
        override: ({ jsonSchema, zodSchema }) => {
          asWhole(jsonSchema);
          showBounds(jsonSchema, zodSchema);
        },
      },
    }).schema,
    ...(example !== undefined && { example }),
  }));

/** A parameter in a path is named by the segment before it. */
const IN_PATH: Readonly<Record<string, readonly [string, string | number]>> = {
  sources: ["The source's id, as in `/hooks/{id}`.", 'shop'],
  templates: ["The template's name.", 'order-paid'],
  recipients: ["The list's name.", 'owners'],
  overrides: ["The override's id, or its start in the rotation's time zone.", 'ovr_0hk7nd0gz3a9'],
  accounts: ["The account's name.", 'default'],
  suppressions: ["The receiver's number, with its country code, in any format.", '4915112345678'],
  silences: ["The silence's name, or its id if it was added by hand.", 'maintenance'],
  events: ["The event's id.", 'evt_01m7ygnc129ats8d9q95vre3gr'],
  incidents: ["The incident's id, or source/route/key (not for viewers).", 'inc_0hk7nd0gz3a9w4qk'],
  messages: ["The message's id.", 'msg_000000001hk7nd0g'],
  providers: ["The provider's id.", 'stripe'],
  sessions: ["The session's id.", 'ses_0hk7nd0gz3a9w4qk2v5x8e1r7t'],
  rejections: ["The rejection's number.", 18],
  versions: ["The version's number.", 7],
};

function pathParameter(path: string, name: string): oas32.ParameterObject {
  const [description, example] = IN_PATH[path.split(`/{${name}}`)[0]?.split('/').at(-1) ?? ''] ?? [];
  if (description === undefined) throw new Error(`${path} has a part that nothing describes`);
  const schema =
    typeof example === 'number' ? { type: 'integer' as const, minimum: 1 } : { type: 'string' as const };
  return { name, in: 'path', required: true, description, schema, example };
}

const requestBody = ({ schema, examples, isOptional }: NonNullable<RouteSpec['body']>) => ({
  required: !isOptional,
  content: { 'application/json': { schema: refTo(componentOf(schema)), examples } },
});

function response({ description, schema, mediaType, headers }: DescribedAnswer): oas32.ResponseObject {
  const content = schema === undefined ? {} : { schema: refTo(componentOf(schema)) };
  const hasContent = schema !== undefined || mediaType !== undefined;
  return {
    description,
    ...(headers !== undefined && { headers: Object.fromEntries(Object.entries(headers).map(header)) }),
    ...(hasContent && { content: { [mediaType ?? 'application/json']: content } }),
  };
}

const header = ([name, description]: readonly [string, string]) =>
  [name, { description, schema: { type: 'string' as const } }] as const;
