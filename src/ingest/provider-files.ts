import { compileConfig } from '../config/compile/compile.ts';
import { NAME } from '../config/documents/name.ts';
import { EMPTY_SET } from '../config/documents/schema.ts';
import {
  FIRST_LANGUAGE,
  withExamples,
  withTexts,
  type StarterTexts,
} from '../config/documents/starter-texts.ts';
import {
  readProvider,
  sampleOf,
  type ProviderParts,
  type SampleDocument,
  type Starter,
} from '../config/documents/provider-file.ts';
import { noSuch } from '../config/documents/unknown-name.ts';
import { type FieldError, fieldError } from '../lib/problem.ts';
import { lookup, type LookupFacts, keyOfItems } from '../provider/lookup.ts';
import type { Provider } from '../provider/provider.ts';
import { verifySchema, type VerifyScheme, verifySignature } from '../signature/scheme.ts';
import { parseBody } from './parse/parse.ts';

/** As JSON. The longest file that hookbell ships has half of it. */
const MAX_LENGTH = 250_000;

/**
 * The errors of providers' files by their ids: of all their keys, of samples that their own facts refuse, and of routes
 * that no source could have. Compiling a set finds only those of the facts.
 */
export async function providerFileErrors(
  files: Readonly<Record<string, unknown>>,
): Promise<readonly FieldError[]> {
  const found = Object.entries(files).map(([id, file]) => errorsOfFile(id, file));
  return (await Promise.all(found)).flat();
}

async function errorsOfFile(id: string, file: unknown): Promise<readonly FieldError[]> {
  const path = `providers.${id}`;
  const length = JSON.stringify(file)?.length ?? 0;
  if (length > MAX_LENGTH) {
    const why = `has ${length} characters as JSON, and may have ${MAX_LENGTH}: leave out samples, or shorten their bodies`;
    return [fieldError(path, 'too-long', why, { max: String(MAX_LENGTH) })];
  }
  const read = readProvider(id, file, path);
  if (!read.ok) return read.error;
  const { starter } = read.value;
  const samples = await Promise.all(starter.samples.map((one) => checkSample(one, read.value)));
  const [first] = starter.samples;
  // Some senders leave an id out of some of their events. What none of them has is wrong.
  const missing = (samples[0]?.missing ?? []).filter((what) =>
    samples.every((one) => one.missing.includes(what)),
  );
  return [
    ...samples.flatMap(({ errors }) => errors),
    ...missing.map((what) => {
      const why = `has nothing where \`event.${what}\` looks: change one of the two`;
      return fieldError(`samples.${first?.name}`, 'sample', why);
    }),
    ...nameErrors(starter),
    ...starterErrors(id, file, starter),
  ].map((error) => ({ ...error, path: `${path}.${error.path}` }));
}

/** The errors of a source that begins with the starter, with their paths in the file. */
function starterErrors(id: string, file: unknown, starter: Starter): readonly FieldError[] {
  const { [FIRST_LANGUAGE]: english = {}, ...others } = starter.texts;
  const found = compiledErrors(id, file, starter, english);
  const known = new Set(found.map(({ path }) => path));
  return [
    ...found,
    ...Object.entries(others).flatMap(([language, texts]) =>
      compiledErrors(id, file, starter, texts)
        .filter(({ path }) => !known.has(path))
        .map((error) => ({ ...error, path: language, message: `in ${error.path}: ${error.message}` })),
    ),
  ];
}

function compiledErrors(id: string, file: unknown, starter: Starter, texts: StarterTexts): FieldError[] {
  const { routes, templates = {}, source = {} } = withExamples(withTexts(starter, texts));
  const lists = new Set<string>();
  JSON.stringify(routes, (key, value: unknown) => {
    if (key === 'to')
      for (const to of [value].flat()) if (typeof to === 'string' && NAME.test(to)) lists.add(to);
    return value;
  });
  const recipients = Object.fromEntries([...lists].map((name) => [name, { numbers: ['4917139200190'] }]));
  const sources = { [id]: { ...source, provider: id, routes } };
  const set = { ...EMPTY_SET, sources, templates, recipients, providers: { [id]: file } };
  const { errors } = compileConfig(set, 0);
  const ofSource = `sources.${id}.`;
  return errors.flatMap((error) => {
    const { path } = error;
    if (path.startsWith('templates.') || path.startsWith(`${ofSource}routes`))
      return [{ ...error, path: path.replace(ofSource, '') }];
    const key = path.startsWith(ofSource) ? path.slice(ofSource.length) : '';
    // What each source has of its own, such as its secrets, is not in the file.
    return Object.hasOwn(source, /^\w+/.exec(key)?.[0] ?? '') ? [{ ...error, path: `source.${key}` }] : [];
  });
}

/** Names of routes, texts, questions and samples that are not in the file. */
function nameErrors(starter: Starter): readonly FieldError[] {
  const { routes, texts, asks = {}, samples, templates, source } = starter;
  const known = {
    route: routes.map(({ name }) => String(name)),
    text: Object.keys(texts[FIRST_LANGUAGE] ?? {}),
    question: Object.keys(asks),
    sample: samples.map(({ name }) => name),
  };
  const unknown = (path: string, what: keyof typeof known, names = {}): readonly FieldError[] =>
    Object.keys(names)
      .filter((name) => !known[what].includes(name))
      .map((name) => fieldError(`${path}.${name}`, ...noSuch(what, name, known[what])));
  const { de } = starter.languages ?? {};
  const used = JSON.stringify([routes, templates, source]).matchAll(/\[\[(ask:)?([a-z\d-]+)\]\]/g);
  return [
    ...unknown('further', 'route', starter.further),
    ...unknown('customers', 'route', starter.customers),
    ...unknown('de.texts', 'text', texts['de']),
    ...unknown('de.asks', 'question', de?.asks),
    ...unknown('de.samples', 'sample', de?.samples),
    ...[...used].flatMap(([whole, ask, name = '']) => {
      const what = ask === undefined ? 'text' : 'question';
      if (known[what].includes(name)) return [];
      const [code, message, params] = noSuch(what, name, known[what]);
      return [fieldError('routes', code, `has \`${whole}\`, and ${message}`, params)];
    }),
  ];
}

/** The errors of a sample, and the facts of its file that it lacks. */
async function checkSample(document: SampleDocument, { provider, starter }: ProviderParts) {
  const sample = sampleOf(document);
  const wrong = (key: string, message: string): FieldError =>
    fieldError(`samples.${sample.name}.${key}`, 'sample', message);
  const body = new TextEncoder().encode(sample.body);
  const headers = new Headers({ ...sample.headers, 'content-type': sample.content_type });
  const parsed = await parseBody(sample.content_type, body, provider.body);
  const refused = (why: string) => wrong('body', `is refused by the file's own facts: ${why}`);
  if (!parsed.ok) return { errors: [refused(parsed.error.detail)], missing: [] };
  const url = new URL(`https://sample.invalid/hooks/${provider.id}`);
  for (const [name, value] of Object.entries(sample.query)) url.searchParams.set(name, value);
  const missing = missingFacts(provider, { payload: parsed.value.payload, headers, query: url.searchParams });
  const { secret } = document;
  if (secret === undefined) return { errors: [], missing };
  const scheme = provider.verify ?? verifySchema.safeParse(starter.source?.['verify']).data;
  if (scheme === undefined)
    return { errors: [wrong('secret', 'has no effect: the file has no `verify`')], missing };
  // Its sender signed an address that is not known here.
  if (JSON.stringify(scheme).includes('{url}')) return { errors: [], missing };
  const bare = { method: 'POST', registeredUrl: null, pathToken: undefined };
  const request = { ...bare, url, headers, body, parsed: async () => parsed };
  const context = { now: 0, fetch: async () => Response.error() };
  const verified = await verifySignature(atAnyTime(scheme), [secret], request, context);
  // A sample is old, and its sender's keys are not asked for.
  if (verified.ok || ['stale', 'unavailable'].includes(verified.error.code)) return { errors: [], missing };
  const why = `does not fit the signature: ${verified.error.detail}. Sign the sample with this key, or leave \`secret\` out`;
  return { errors: [wrong('secret', why)], missing };
}

/** The scheme without a limit on the age of a request. */
const atAnyTime = (scheme: VerifyScheme): VerifyScheme =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a scheme is JSON, and stays what it is
  JSON.parse(JSON.stringify(scheme), (key, value: unknown) =>
    key === 'tolerance' ? Infinity : value,
  ) as VerifyScheme;

/** The facts that the file says where to find, and that a sample lacks. */
function missingFacts({ event_type: type, dedupe, items }: Provider, facts: LookupFacts): readonly string[] {
  const hasItems = items !== undefined && items.id.length > 0;
  const ofItems = hasItems ? keyOfItems(items, facts.payload) : null;
  const hasId = ofItems !== null || (dedupe.length > 0 && lookup(dedupe, facts) !== null);
  return [
    ...(type.length > 0 && lookup(type, facts) === null ? ['type'] : []),
    ...(hasId ? [] : dedupe.length > 0 ? ['id'] : hasItems ? ['items'] : []),
  ];
}
