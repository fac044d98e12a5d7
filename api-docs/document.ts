import type { oas32 } from 'zod-openapi';
import { componentSchemas, OPENAPI } from './components.ts';
import { enrich } from './enrich.ts';
import { operation } from './operation.ts';
import { sharedResponses } from './problems.ts';
import { ROUTES, type RouteSpec } from './routes.ts';
import { TAGS } from './spec.ts';
import packageFile from '../package.json' with { type: 'json' };

type Document = oas32.OpenAPIObject;

/** The description of the admin API, as it is published. */
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

/** A route's part of the description. */
export function operationOf(
  { paths }: Document,
  { path, method }: Pick<RouteSpec, 'path' | 'method'>,
): oas32.OperationObject | undefined {
  const { get, put, post, delete: remove } = paths?.[path] ?? {};
  return { GET: get, PUT: put, POST: post, DELETE: remove }[method];
}

/** Committed, so that its changes are seen. */
export const OPENAPI_FILE = 'assets/admin/openapi.json';

export const openapiFile = (): string => `${JSON.stringify(describeApi(packageFile.version), null, 1)}\n`;
