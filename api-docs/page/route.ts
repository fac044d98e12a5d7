import type { oas32 } from 'zod-openapi';
import { roleSentence } from '../operation.ts';
import { problemsOf } from '../problem-responses.ts';
import { PROBLEMS, typeOf as problemType } from '../problems.ts';
import type { RouteSpec } from '../spec.ts';
import { curlOf } from './curl.ts';
import { inline, markup, paragraphs, type Html } from './html.ts';
import { field, nameOf, plain, shape, typeOf, type Schema, type Shapes } from './shape.ts';

/** The input of a route's part of the page. */
interface RouteInput {
  readonly route: RouteSpec;
  readonly operation: oas32.OperationObject;
  readonly schemas: Shapes;
}

/** One route: its purpose, its input, its answers. */
export function routeSection(input: RouteInput): Html {
  const { route, operation } = input;
  return markup`<section class="route" id="${route.id}" aria-labelledby="${route.id}-title">
    <h3 id="${route.id}-title"><a href="#${route.id}">${route.summary}</a></h3>
    <p class="line">
      ${method(route)} <code class="path">${path(route.path)}</code>${
        route.role === null ? markup` <span class="open">no token needed</span>` : null
      }
    </p>
    ${route.description === undefined ? null : paragraphs(route.description)} ${roles(route)} ${example(route, operation)}
    ${parameters(input)} ${body(input)} ${answers(input)} ${errors(route)}
  </section>`;
}

const roles = (route: RouteSpec): Html | null =>
  route.role === null ? null : markup`<p>${inline(roleSentence(route, route.role))}</p>`;

/** Its method, in its colour. */
export const method = ({ method }: Pick<RouteSpec, 'method'>): Html =>
  markup`<span class="method ${method.toLowerCase()}">${method === 'DELETE' ? 'DEL' : method}</span>`;

/** Breaks only before slashes, and marks the parts to fill in. */
const path = (text: string): Html =>
  markup`${text
    .split('/')
    .map((part, at) =>
      at === 0 ? null : markup`<wbr />/${part.startsWith('{') ? markup`<var>${part}</var>` : part}`,
    )}`;

function example(route: RouteSpec, { parameters = [] }: oas32.OperationObject): Html | null {
  const inPath = parameters.find((one) => 'in' in one && one.in === 'path');
  const line = curlOf(route, inPath !== undefined && 'example' in inPath ? String(inPath.example) : '');
  return line === ''
    ? null
    : markup`<pre tabindex="0" aria-label="Example with curl"><code>${line}</code></pre>`;
}

function parameters({ operation, schemas }: RouteInput): Html | null {
  const { parameters = [] } = operation;
  const places = { path: 'In the path', query: 'In the query', header: 'Headers' } as const;
  return markup`${Object.entries(places).map(([place, title]) => {
    const fields = parameters.flatMap((one) => ('in' in one && one.in === place ? [one] : []));
    if (fields.length === 0) return null;
    return markup`<h4>${title}</h4>
      <dl class="fields">
        ${fields.map(({ name, description, schema, required = false }) =>
          field({ name, description, schema: plain(schema), isRequired: required }, schemas),
        )}
      </dl>`;
  })}`;
}

function body({ operation, schemas }: RouteInput): Html | null {
  const { requestBody } = operation;
  if (requestBody === undefined || !('content' in requestBody)) return null;
  const media = requestBody.content['application/json'];
  if (media === undefined || !('schema' in media) || media.schema === undefined) return null;
  const schema = plain(media.schema);
  return markup`<h4>Body <span class="type">${typeOf(schema)}</span></h4>${named(schema, schemas)}`;
}

/** The shape of a name, or nothing for one without keys. */
function named(schema: Schema, schemas: Shapes): Html | null {
  const found = schemas[nameOf(schema) ?? ''] ?? schema;
  return shape(found, schemas);
}

function answers({ route, schemas, operation }: RouteInput): Html {
  return markup`${Object.entries(route.answers).map(([status, { description, mediaType }]) => {
    const media = jsonOf(operation, status);
    const schema = media?.schema === undefined ? undefined : plain(media.schema);
    return markup`<h4>
        <span class="status">${status}</span> ${inline(description)}
        ${
          schema === undefined
            ? markup`<span class="type">${mediaType ?? ''}</span>`
            : markup`<span class="type">${typeOf(schema)}</span>`
        }
      </h4>
      ${schema === undefined ? null : answered(schema, schemas, media)}`;
  })}`;
}

function answered(schema: Schema, schemas: Shapes, media: oas32.MediaTypeObject | undefined): Html {
  const [shown] = Object.values(media?.examples ?? {});
  const value: unknown = shown !== undefined && 'value' in shown ? shown.value : undefined;
  const keys = named(schema, schemas);
  return markup`${
    value === undefined
      ? null
      : markup`<pre
          tabindex="0"
          aria-label="Example of the answer"
        ><code>${JSON.stringify(value, null, 2)}</code></pre>`
  }${
    keys === null
      ? null
      : markup`<details>
          <summary>Its keys</summary>
          ${keys}
        </details>`
  }`;
}

function jsonOf({ responses }: oas32.OperationObject, status: string): oas32.MediaTypeObject | undefined {
  const response: unknown = responses?.[status];
  if (!isResponse(response)) return undefined;
  const media = response.content?.['application/json'];
  return media !== undefined && !('$ref' in media) ? media : undefined;
}

const isResponse = (value: unknown): value is oas32.ResponseObject =>
  typeof value === 'object' && value !== null && 'description' in value;

function errors(route: RouteSpec): Html {
  return markup`<h4>Errors</h4>
    <ul class="errors">
      ${problemsOf(route)
        .toSorted((a, b) => PROBLEMS[a].status - PROBLEMS[b].status)
        .map(
          (name) =>
            markup`<li>
            <a href="#problem-${name}"
              ><span class="status bad">${PROBLEMS[name].status}</span> ${problemType(name)}</a
            >
          </li>`,
        )}
    </ul>`;
}
