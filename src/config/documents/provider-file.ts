import * as z from 'zod/mini';
import { asObject, isObject, present } from '../../lib/json.ts';
import { err, ok } from '../../lib/result.ts';
import { SECRET_NAME } from '../../lib/secret.ts';
import { factsKeys, providerOf, type Provider } from '../../provider/provider.ts';
import type { Answered } from '../../schema/api-parts.ts';
import {
  listOf,
  mustBe,
  notText,
  oneOf,
  recordOf,
  someText,
  strictDocument,
  textLike,
} from '../../schema/parts.ts';
import { HEADER_NAME } from '../../signature/signed/signed-options.ts';
import { isPattern } from './account-schema.ts';
import { issueErrors } from './issues.ts';
import { routeSchema, sourceSchema, templateSchema } from './schema.ts';
import { withAnswers, type StarterTexts, type Wording } from './starter-texts.ts';

const line = someText(600);
const words = recordOf(line);
const texts = recordOf(someText(8_192));
const query = recordOf(z.string({ error: notText }));
/** Without what no header can have, such as a line break. */
const headerValue = z.regex(/^[\t\x20-\x7e\x80-\xff]*$/, {
  error: 'must be one line of letters, digits and signs of Latin, as in a header',
});
const headers = recordOf(z.string({ error: notText }).check(headerValue)).check(
  z.refine((all) => Object.keys(all).every((name) => HEADER_NAME.test(name)), {
    error: 'must have names of headers as its keys, such as `x-event`',
  }),
);
/**
 * The protection against captured requests that are sent again under another id. `signed-id`: the id is signed, so
 * the request is a duplicate. `signed-time`: the request is refused once its time has expired. `digest`: the signed
 * content is claimed. `open`: none, since the request contains the secret, or identical bodies are different events.
 */
export const CAPTURED_KINDS = ['signed-id', 'signed-time', 'digest', 'open'] as const;

const aPattern = z.refine<string>((text) => isPattern(text, ''), {
  error: 'must be a regular expression, such as `[a-z0-9-]+`',
});

const steps = listOf(someText(2_048), 'steps', { min: 1, max: 20 });

const sampleSchema = strictDocument({
  silent: z.optional(line),
  test: z.optional(z.literal(true, { error: 'must be true or absent' })),
  secret: z.optional(line),
  headers: z.optional(headers),
  query: z.optional(query),
  content_type: z.optional(someText(128).check(headerValue)),
  body: z.optional(z.unknown()),
}).check(
  z.refine(({ body, content_type }) => typeof body !== 'string' || content_type !== undefined, {
    error:
      'has a text as its `body`, so it needs a `content_type` such as `text/plain`; JSON is written as YAML',
    path: ['content_type'],
  }),
  z.refine(({ body }) => body !== undefined, { error: 'is required: what the sender posts', path: ['body'] }),
);

const otherLanguage = strictDocument(() => ({
  setup: z.optional(steps),
  hint: z.optional(line),
  asks: z.optional(words),
  samples: z.optional(words),
  routes: z.optional(texts),
  texts: z.optional(texts),
  sentences: z.optional(words),
}));

export const providerSchema = strictDocument(() => ({
  ...factsKeys,
  mark: z.optional(someText(64)),
  docs: z.optional(textLike(/^https:\/\/\S+$/, mustBe('an address with https://'))),
  confidence: z.optional(
    strictDocument({ level: oneOf(['verified', 'reported', 'unconfirmed']), note: line }),
  ),
  captured: z.optional(strictDocument({ kind: oneOf(CAPTURED_KINDS), note: z.optional(line) })),
  setup: steps,
  secret: z.optional(
    strictDocument({
      name: textLike(SECRET_NAME, 'must be the NAME of a secret (A–Z, 0–9, _), never its value'),
      hint: line,
    }),
  ),
  source: z.optional(z.omit(sourceSchema, { provider: true, routes: true, secrets: true })),
  asks: z.optional(
    recordOf(strictDocument({ question: line, example: someText(64), pattern: line.check(aPattern) })),
  ),
  samples: recordOf(sampleSchema).check(
    z.refine((all) => Object.keys(all).length > 0, {
      error: 'must have at least one: what the sender posts',
    }),
  ),
  routes: z.optional(listOf(routeSchema, 'routes', { max: 50 })),
  further: z.optional(words),
  customers: z.optional(words),
  templates: z.optional(recordOf(templateSchema)),
  texts: z.optional(texts),
  sentences: z.optional(words),
  de: z.optional(otherLanguage),
}));

export type ProviderDocument = z.output<typeof providerSchema>;
type File = Answered<ProviderDocument>;
type German = NonNullable<File['de']>;

/** The keys of a file that its starter has as they are. */
const KEPT = [
  'mark',
  'confidence',
  'captured',
  'secret',
  'asks',
  'further',
  'customers',
  'sentences',
] as const;

/** What a user begins with, from the provider's file. Those of shipped ones are assets outside the Worker. */
export interface Starter extends Wording, Pick<File, (typeof KEPT)[number]> {
  readonly docs_url?: string;
  readonly setup: string;
  readonly samples: readonly SampleDocument[];
  /** What `[[name]]` stands for, by language. English is always there. */
  readonly texts: Readonly<Record<string, StarterTexts>>;
  /** What a person reads in another language, by language. */
  readonly languages?: Readonly<
    Record<string, Omit<German, 'routes' | 'setup' | 'texts'> & { readonly setup?: string }>
  >;
}

export type Question = NonNullable<File['asks']>[string];

/** A sample as its file has it: a JSON `payload`, or any `body` with its `content_type`. */
export interface SampleDocument extends Omit<File['samples'][string], 'body'> {
  readonly name: string;
  readonly payload?: unknown;
  readonly body?: string;
}

/** A request as the provider sends it, without its signature. */
export type Sample = Readonly<ReturnType<typeof sampleOf>>;

export function sampleOf({ name, silent, headers = {}, query = {}, ...sample }: SampleDocument) {
  const { content_type = 'application/json', body = JSON.stringify(sample.payload) } = sample;
  return { name, ...(silent !== undefined && { silent }), content_type, headers, query, body };
}

export interface ProviderParts {
  readonly provider: Provider;
  readonly starter: Starter;
}

/** Reads a provider's file as it was written. The paths of errors begin with `path`. */
export function readProvider(id: string, file: unknown, path = `providers.${id}`) {
  const written = asObject(file);
  const parsed = z.safeParse(providerSchema, isObject(file) ? withExampleAnswers(written) : file, {
    reportInput: true,
  });
  if (!parsed.success) return err(parsed.error.issues.flatMap((issue) => issueErrors(path, issue)));
  return ok({ provider: providerOf(id, parsed.data), starter: starterOf(parsed.data, written) });
}

type Tree = Readonly<Record<string, unknown>>;

/** `source: { url: 'https://[[ask:site]]' }` is right if it is right with the example. */
function withExampleAnswers(file: Tree): Tree {
  const examples = Object.entries(asObject(file['asks'])).flatMap(([name, ask]) => {
    const { example } = asObject(ask);
    return typeof example === 'string' ? [[name, example] as const] : [];
  });
  const { source, routes, templates } = file;
  // Texts stay as they are written: they are for people, who answer for themselves.
  const answered = withAnswers(
    { routes: [], source: { source, routes, templates } },
    Object.fromEntries(examples),
  );
  return { ...file, ...Object.fromEntries(Object.entries(answered.source).filter(([key]) => key in file)) };
}

/** `written`: the file itself, from which documents are copied as a person wrote them, such as `5m`. */
function starterOf(file: ProviderDocument, written: Tree): Starter {
  const { docs, setup, samples, texts = {}, de } = file;
  const { routes: ownTexts = {}, texts: germanTexts, setup: germanSetup, ...german } = de ?? {};
  const english = new Map(Object.entries(texts));
  const routes = (Array.isArray(written['routes']) ? written['routes'] : []).filter(isObject).map((route) => {
    const { name, send } = route;
    const message = isObject(send) ? send['message'] : undefined;
    if (!isObject(send) || typeof name !== 'string' || typeof message !== 'string') return route;
    if (!Object.hasOwn(ownTexts, name)) return route;
    // The English text stands in the route itself, the German one beside the others.
    english.set(name, message);
    return { ...route, send: { ...send, message: `[[${name}]]` } };
  });
  const starter: { readonly [Key in keyof Starter]: unknown } = {
    ...Object.fromEntries(KEPT.map((key) => [key, file[key]])),
    docs_url: docs,
    setup: listed(setup),
    samples: Object.entries(samples).map(([name, { body, ...sample }]) => ({
      name,
      ...sample,
      ...(typeof body === 'string' ? { body } : { payload: body }),
    })),
    routes,
    source: written['source'],
    templates: written['templates'],
    texts: {
      en: Object.fromEntries(english),
      // All texts may be partials, which speak German.
      ...(de && (english.size === 0 || germanTexts || de.routes) && { de: { ...germanTexts, ...ownTexts } }),
    },
    languages: de && { de: { ...german, ...(germanSetup && { setup: listed(germanSetup) }) } },
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys are those of a starter
  return present(starter) as Starter;
}

const listed = (steps: readonly string[]) => steps.map((step, index) => `${index + 1}. ${step}`).join('\n');
