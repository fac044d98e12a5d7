import * as z from 'zod/mini';
import type { FieldError } from '../../lib/problem.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { providerOf, type Provider } from '../../provider/provider.ts';
import { issueErrors } from './issues.ts';
import { providerSchema, type ProviderDocument } from './provider-schema.ts';
import type { Starter } from './starter.ts';
import { withAnswers } from './starter-texts.ts';
import { isObject } from '../../lib/json.ts';

export interface ProviderParts {
  readonly provider: Provider;
  readonly starter: Starter;
}

/** Reads a provider's file as it was written. The paths of errors begin with `path`. */
export function readProvider(
  id: string,
  file: unknown,
  path = `providers.${id}`,
): Result<ProviderParts, readonly FieldError[]> {
  const written = isObject(file) ? file : {};
  const parsed = z.safeParse(providerSchema, isObject(file) ? withExampleAnswers(written) : file, {
    reportInput: true,
  });
  if (!parsed.success) return err(parsed.error.issues.flatMap((issue) => issueErrors(path, issue)));
  return ok({ provider: providerOf(id, parsed.data), starter: starterOf(parsed.data, written) });
}

type Tree = Readonly<Record<string, unknown>>;

/** `source: { url: 'https://[[ask:site]]' }` is right if it is right with the example. */
function withExampleAnswers(file: Tree): Tree {
  const asks = isObject(file['asks']) ? Object.entries(file['asks']) : [];
  const examples = asks.flatMap(([name, ask]) =>
    isObject(ask) && typeof ask['example'] === 'string' ? [[name, ask['example']] as const] : [],
  );
  const { source, routes, templates } = file;
  // Texts stay as they are written: they are for people, who answer for themselves.
  const answered = withAnswers(
    { routes: [], source: { source, routes, templates } },
    Object.fromEntries(examples),
  );
  return { ...file, ...Object.fromEntries(Object.entries(answered.source).filter(([key]) => key in file)) };
}

/** `written`: the file itself, from which documents are copied as a person wrote them, such as `5m`. */
function starterOf(
  { docs, mark, confidence, captured, setup, secret, asks, samples, ...file }: ProviderDocument,
  written: Tree,
): Starter {
  const { further, customers, texts = {}, sentences, de } = file;
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
  const trees = Object.fromEntries(
    ['source', 'templates'].flatMap((key) => (isObject(written[key]) ? [[key, written[key]]] : [])),
  );
  return present({
    docs_url: docs,
    mark,
    confidence,
    captured,
    setup: listed(setup),
    secret,
    asks,
    samples: Object.entries(samples).map(([name, { body, ...sample }]) => ({
      name,
      ...sample,
      ...(typeof body === 'string' ? { body } : { payload: body }),
    })),
    routes,
    further,
    customers,
    ...trees,
    texts: {
      en: Object.fromEntries(english),
      // All texts may be partials, which speak German.
      ...(de && (english.size === 0 || germanTexts || de.routes) && { de: { ...germanTexts, ...ownTexts } }),
    },
    languages: de && { de: { ...german, ...(germanSetup && { setup: listed(germanSetup) }) } },
    sentences,
  });
}

const listed = (steps: readonly string[]): string =>
  steps.map((step, index) => `${index + 1}. ${step}`).join('\n');

function present(starter: { readonly [Key in keyof Starter]: unknown }): Starter {
  const entries = Object.entries(starter).filter(([, value]) => value !== undefined);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys are those of a starter
  return Object.fromEntries(entries) as unknown as Starter;
}
