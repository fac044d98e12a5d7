import { readProvider, type ProviderParts } from '../config/documents/provider-file.ts';
import { sampleOf, type SampleDocument } from '../config/documents/starter.ts';
import { type FieldError, fieldError } from '../lib/problem.ts';
import { lookup, type LookupFacts } from '../provider/lookup.ts';
import { keyOfItems } from '../provider/items.ts';
import type { Provider } from '../provider/provider.ts';
import { verifySchema, type VerifyScheme } from '../signature/scheme.ts';
import { verifySignature } from '../signature/verify.ts';
import { parseBody } from './parse/parse.ts';

/** As JSON. The longest file that hookbell ships has half of it. */
const MAX_LENGTH = 250_000;

/**
 * The errors of providers' files by their ids: of all their keys, and of samples that their own facts refuse. Compiling a
 * set finds only those of the facts.
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
  if (length > MAX_LENGTH)
    return [
      fieldError(
        path,
        'too-long',
        `has ${length} characters as JSON, and may have ${MAX_LENGTH}: leave out samples, or shorten their bodies`,
        { max: String(MAX_LENGTH) },
      ),
    ];
  const read = readProvider(id, file, path);
  if (!read.ok) return read.error;
  const found = read.value.starter.samples.map(async (sample) =>
    (await errorsOfSample(sample, read.value)).map(([key, message]) =>
      fieldError(`${path}.samples.${sample.name}${key}`, 'sample', message),
    ),
  );
  return (await Promise.all(found)).flat();
}

type SampleError = readonly [key: string, message: string];

async function errorsOfSample(
  document: SampleDocument,
  { provider, starter }: ProviderParts,
): Promise<readonly SampleError[]> {
  const sample = sampleOf(document);
  const body = new TextEncoder().encode(sample.body);
  const headers = new Headers({ ...sample.headers, 'content-type': sample.content_type });
  const parsed = await parseBody(sample.content_type, body, provider.body);
  if (!parsed.ok) return [['.body', `is refused by the file's own facts: ${parsed.error.detail}`]];
  const url = new URL(`https://sample.invalid/hooks/${provider.id}`);
  for (const [name, value] of Object.entries(sample.query)) url.searchParams.set(name, value);
  const facts = { payload: parsed.value.payload, headers, query: url.searchParams };
  const missing = missingFacts(provider, facts);
  const { secret } = document;
  if (secret === undefined) return missing;
  const own = verifySchema.safeParse(starter.source?.['verify']);
  const scheme = provider.verify ?? own.data ?? null;
  if (scheme === null) return [...missing, ['.secret', 'has no effect: the file has no `verify`']];
  // Its sender signed an address that is not known here.
  if (JSON.stringify(scheme).includes('{url}')) return missing;
  const request = {
    method: 'POST',
    url,
    registeredUrl: null,
    headers,
    body,
    parsed: async () => parsed,
    pathToken: undefined,
  };
  const context = { now: 0, fetch: async () => Response.error() };
  const verified = await verifySignature(atAnyTime(scheme), [secret], request, context);
  const isRefused = !verified.ok && !UNCERTAIN.has(verified.error.reason);
  if (!isRefused) return missing;
  return [
    ...missing,
    [
      '.secret',
      `does not fit the signature: ${verified.error.detail}. Sign the sample with this key, or leave \`secret\` out`,
    ],
  ];
}

/** A sample is old, and its sender's keys are not asked for. */
const UNCERTAIN: ReadonlySet<string> = new Set(['stale', 'unavailable']);

/** The scheme without a limit on the age of a request. */
const atAnyTime = (scheme: VerifyScheme): VerifyScheme =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a scheme is JSON, and stays what it is
  JSON.parse(JSON.stringify(scheme), (key, value: unknown) =>
    key === 'tolerance' ? Infinity : value,
  ) as VerifyScheme;

/** The facts that the file says where to find, and that a sample lacks. */
function missingFacts(provider: Provider, facts: LookupFacts): readonly SampleError[] {
  const { event_type: type, dedupe, items } = provider;
  const missing: SampleError[] = [];
  const lacks = (what: string): void => {
    missing.push(['', `has nothing where \`event.${what}\` looks: change one of the two`]);
  };
  if (type.length > 0 && lookup(type, facts) === null) lacks('type');
  const hasItems = items !== undefined && items.id.length > 0;
  const ofItems = hasItems ? keyOfItems(items, facts.payload) : null;
  if (dedupe.length > 0 ? lookup(dedupe, facts) === null && ofItems === null : hasItems && ofItems === null)
    lacks(dedupe.length > 0 ? 'id' : 'items');
  return missing;
}
