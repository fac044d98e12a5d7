import { createHash } from 'node:crypto';
import { raw } from 'hono/html';
import type { oas32 } from 'zod-openapi';
import { operationOf } from '../document.ts';
import { PROBLEMS, typeOf as problemType } from '../problems.ts';
import { ROUTES } from '../routes.ts';
import { TAGS, type Tag } from '../tags.ts';
import { inline, markup, paragraphs, type Html } from './html.ts';
import { method, routeSection } from './route.ts';
import { plain, shape, shapeId, type Schema, type Shapes } from './shape.ts';

/** The description as a page: one file without scripts. `css` is its style, which the page's policy allows. */
export function docsPage(document: oas32.OpenAPIObject, css: string): string {
  const { info, components } = document;
  const schemas = Object.fromEntries(
    Object.entries(components?.schemas ?? {}).map(([name, schema]) => [name, plain(schema)]),
  );
  return `<!doctype html>\n${markup`<html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta http-equiv="Content-Security-Policy" content="${policy(css)}" />
        <meta name="color-scheme" content="light dark" />
        <title>${info.title}</title>
        <link rel="icon" href="data:," />
        <style>${raw(css)}</style>
      </head>
      <body>
        <a class="skip" href="#main">Skip to the routes</a>
        ${contents()}
        <main id="main">
          <header>
            <h1>${info.title}</h1>
            <p class="version">Version ${info.version} · <a href="openapi.json">openapi.json</a></p>
            ${paragraphs(info.description ?? '')} ${signIn()}
          </header>
          ${nouns().map((tag) => noun(tag, document, schemas))} ${problems()} ${shapes(schemas)}
        </main>
      </body>
    </html>`.toString()}\n`;
}

/** The nouns that have routes. */
const nouns = (): readonly Tag[] => TAG_NAMES.filter((tag) => ROUTES.some((route) => route.tag === tag));
const TAG_NAMES = Object.keys(TAGS).filter((name): name is Tag => name in TAGS);

const policy = (css: string): string =>
  `default-src 'none'; img-src data:; style-src 'sha256-${createHash('sha256').update(css).digest('base64')}'`;

/** Next to the page where there is space; otherwise at its end, with a link at the top of the window. */
const contents = (): Html =>
  markup`<nav class="side" id="contents" aria-label="Contents">
      <p class="brand"><a href="#main">hookbell</a></p>
      <ul>
        ${nouns().map(
          (tag) =>
            markup`<li>
              <a class="noun" href="#${tag}">${title(tag)}</a>
              <ul>
                ${ROUTES.filter((route) => route.tag === tag).map(
                  (route) => markup`<li><a href="#${route.id}">${method(route)} ${route.summary}</a></li>`,
                )}
              </ul>
            </li>`,
        )}
        <li><a class="noun" href="#problems">Errors</a></li>
        <li><a class="noun" href="#shapes">Shapes</a></li>
      </ul>
    </nav>
    <p class="bar"><a href="#contents">Contents</a></p>`;

const title = (tag: string): string => tag.charAt(0).toUpperCase() + tag.slice(1);

const signIn = (): Html =>
  markup`<h2 id="signing-in">Signing in</h2>
    <p>
      ${inline('Send the value of the Worker secret `ADMIN_TOKEN`, `OPERATOR_TOKEN` or `VIEWER_TOKEN` as a bearer token; each route says which roles may call it. Behind Cloudflare Access, what Access sends is accepted as well. The examples of this page work in a shell after:')}
    </p>
    <pre tabindex="0" aria-label="Example"><code>API=https://hookbell.example.workers.dev/admin/api/v1
AUTH='authorization: Bearer …'</code></pre>`;

function noun(tag: Tag, document: oas32.OpenAPIObject, schemas: Shapes): Html {
  const sections = ROUTES.filter((route) => route.tag === tag).map((route) => {
    const operation = operationOf(document, route);
    if (operation === undefined) throw new Error(`${route.id} is not in the description`);
    return routeSection({ route, operation, schemas });
  });
  return markup`<section class="tag" aria-labelledby="${tag}">
    <h2 id="${tag}">${title(tag)}</h2>
    ${paragraphs(TAGS[tag])}${sections}
  </section>`;
}

const problems = (): Html =>
  markup`<section class="tag" aria-labelledby="problems">
    <h2 id="problems">Errors</h2>
    <p>
      ${inline('Errors are listed by name: the last part of their `type`, after `urn:hookbell:problem:`. `detail` says what happened this time.')}
    </p>
    <dl class="fields">
      ${Object.entries(PROBLEMS).map(
        ([name, { status, when }]) =>
          markup`<dt id="problem-${name}">
              <code class="name">${isProblem(name) ? problemType(name) : name}</code>
              <span class="status bad">${status}</span>
            </dt>
            <dd><p>${inline(when)}</p></dd>`,
      )}
    </dl>
  </section>`;

const isProblem = (name: string): name is keyof typeof PROBLEMS => name in PROBLEMS;

const shapes = (schemas: Shapes): Html =>
  markup`<section class="tag" aria-labelledby="shapes">
    <h2 id="shapes">Shapes</h2>
    <p>The parts of bodies and answers.</p>
    ${Object.entries(schemas).map(
      ([name, schema]) =>
        markup`<section class="shape" id="${shapeId(name)}" aria-labelledby="${shapeId(name)}-title">
          <h3 id="${shapeId(name)}-title"><a href="#${shapeId(name)}">${name}</a></h3>
          ${
            schema.description === undefined ? null : paragraphs(schema.description)
          }${shape(schema, schemas) ?? words(schema)}
        </section>`,
    )}
  </section>`;

/** A shape that is one of a few texts. */
const words = ({ enum: all = [] }: Schema): Html =>
  markup`<p>${all.map((word: unknown, at) => markup`${at === 0 ? '' : ' · '}<code>${String(word)}</code>`)}</p>`;
