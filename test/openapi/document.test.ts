import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { ROUTES as MOUNTED } from '../../src/admin/admin.ts';
import { describeApi } from '../../openapi/document.ts';
import { problemsOf } from '../../openapi/problem-responses.ts';
import { PROBLEMS } from '../../openapi/problems.ts';
import { ROUTES } from '../../openapi/routes.ts';
import { checker } from './fits.ts';

const document = describeApi('1.2.3');
const text = JSON.stringify(document);

/** A union of components; one without a name has no `$ref`. */
const schemes = z.object({ oneOf: z.array(z.looseObject({ $ref: z.string().optional() })).min(2) });

describe('the description of the API', () => {
  it('has every route of the app, and no other', () => {
    const described = ROUTES.map(({ method, path }) => `${method} ${path}`);
    expect(described.toSorted()).toEqual(MOUNTED.map(({ method, path }) => `${method} ${path}`).toSorted());
  });

  it('is the one of the version that it is made for', () => {
    expect(document.info.version).toBe('1.2.3');
    expect(document.openapi).toBe('3.1.1');
  });

  it('has a name of its own for every route', () => {
    expect(new Set(ROUTES.map(({ id }) => id)).size).toBe(ROUTES.length);
  });

  it('has a name for each scheme of `verify`: openapi/components.ts', () => {
    const { oneOf } = schemes.parse(document.components?.schemas?.['Verify']);
    expect(oneOf.filter(({ $ref }) => $ref === undefined)).toEqual([]);
  });

  it('points at nothing that is not there', () => {
    const { schemas = {}, responses = {} } = document.components ?? {};
    const known = new Set([
      ...Object.keys(schemas).map((name) => `#/components/schemas/${name}`),
      ...Object.keys(responses).map((name) => `#/components/responses/${name}`),
    ]);
    const used = [...text.matchAll(/"(#\/components[^"]*)"/g)].map(([, ref]) => ref);
    expect(used.filter((ref) => ref === undefined || !known.has(ref))).toEqual([]);
  });

  it('has nothing in it that only the making of it needs', () => {
    expect(text).not.toContain('x-group');
    expect(text).not.toContain(String(Number.MAX_SAFE_INTEGER));
  });

  it('has no error that no route gives', () => {
    const given = new Set(ROUTES.flatMap(problemsOf));
    expect(Object.keys(PROBLEMS).filter((name) => ![...given].some((one) => one === name))).toEqual([]);
  });

  it('asks for a sign-in wherever there is no reason not to', () => {
    const open = ROUTES.filter(({ role }) => role === null).map(({ id }) => id);
    expect(open).toEqual(['signIn', 'readMany', 'getOpenApi', 'getDocs']);
  });
});

describe('the examples', () => {
  const errors = checker(document, { strict: true });
  const examples = mediaOf(document).flatMap(({ where, media }) =>
    Object.entries(media.examples).map(([name, { value }]) => ({
      where: `${where}, ${name}`,
      schema: media.schema,
      value,
    })),
  );

  it('are there for every body and every answer in JSON', () => {
    const without = mediaOf(document).filter(({ media }) => Object.keys(media.examples).length === 0);
    expect(without).toEqual([]);
    expect(examples.length).toBeGreaterThan(80);
  });

  it.each(examples)('fit the schema they stand beside: $where', ({ schema, value }) => {
    expect(errors(schema, value)).toEqual([]);
  });

  it('would not pass if they did not', () => {
    const page = examples.find(({ where }) => where.startsWith('get /messages 200'));
    const changed = (from: string, to: string): unknown =>
      JSON.parse(JSON.stringify(page?.value).replace(from, to));
    expect(errors(page?.schema, changed('"retrying"', '"retried"'))).not.toEqual([]);
    expect(errors(page?.schema, changed('"kind"', '"surprise":1,"kind"'))).not.toEqual([]);
    expect(errors(page?.schema, changed('"items":', '"item":'))).not.toEqual([]);
  });
});

const media = z.object({
  schema: z.record(z.string(), z.unknown()),
  examples: z.record(z.string(), z.object({ value: z.unknown() })).default({}),
});
const content = z.object({ content: z.record(z.string(), z.unknown()).default({}) });
const described = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({ requestBody: content.optional(), responses: z.record(z.string(), content) }),
    ),
  ),
  components: z.object({ responses: z.record(z.string(), content) }),
});

/** A body or answer with a schema, and where it stands. */
interface Described {
  readonly where: string;
  readonly media: z.output<typeof media>;
}

/** Everything with a schema that the document describes. */
function mediaOf(given: unknown): readonly Described[] {
  const { paths, components } = described.parse(given);
  const inPaths = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { requestBody, responses }]) => [
      ...jsonOf(`${method} ${path} body`, requestBody),
      ...Object.entries(responses).flatMap(([status, one]) => jsonOf(`${method} ${path} ${status}`, one)),
    ]),
  );
  const shared = Object.entries(components.responses).flatMap(([name, one]) => jsonOf(name, one));
  return [...inPaths, ...shared];
}

const jsonOf = (where: string, one?: z.output<typeof content>): readonly Described[] =>
  Object.values(one?.content ?? {}).flatMap((given) => {
    const parsed = media.safeParse(given);
    return parsed.success ? [{ where, media: parsed.data }] : [];
  });
