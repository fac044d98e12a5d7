import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { describeApi } from '../../api-docs/document.ts';
import { PROBLEM_NAMES, problemsOf } from '../../api-docs/problems.ts';
import { ROUTES } from '../../api-docs/routes.ts';
import { checker } from './fits.ts';

const document = describeApi('1.2.3');
const text = JSON.stringify(document);

/** A union of components; one without a name has no `$ref`. */
const schemes = z.object({ oneOf: z.array(z.looseObject({ $ref: z.string().optional() })).min(2) });

it('the description is right by the specification of OpenAPI 3.1, and would not be with a mistake in it', async () => {
  const lines = JSON.stringify(document, null, 1);
  expect(await new Validator().validate(lines)).toEqual({ valid: true });
  const mistaken = lines.replaceAll('"responses"', '"answers"');
  expect(await new Validator().validate(mistaken)).toMatchObject({ valid: false });
});

it('the description has a name for each scheme of `verify`: api-docs/components.ts', () => {
  const { oneOf } = schemes.parse(document.components?.schemas?.['Verify']);
  expect(oneOf.filter(({ $ref }) => $ref === undefined)).toEqual([]);
});

it('the description points at nothing that is not there, and has nothing that only its making needs', () => {
  const { schemas = {}, responses = {} } = document.components ?? {};
  const known = new Set([
    ...Object.keys(schemas).map((name) => `#/components/schemas/${name}`),
    ...Object.keys(responses).map((name) => `#/components/responses/${name}`),
  ]);
  const used = [...text.matchAll(/"(#\/components[^"]*)"/g)].map(([, ref = '']) => ref);
  expect(used.filter((ref) => !known.has(ref))).toEqual([]);
  for (const part of ['x-group', String(Number.MAX_SAFE_INTEGER)]) expect(text).not.toContain(part);
});

it('the description has no error that no route gives', () => {
  const given = new Set<string>(ROUTES.flatMap(problemsOf));
  expect(PROBLEM_NAMES.filter((name) => !given.has(name))).toEqual([]);
});

it('a sign-in is asked for wherever there is no reason not to', () => {
  const open = ROUTES.filter(({ role }) => role === null).map(({ id }) => id);
  expect(open).toEqual(['signIn', 'getOpenApi']);
});

const media = z.object({
  schema: z.record(z.string(), z.unknown()),
  examples: z.record(z.string(), z.object({ value: z.unknown() })),
});

/** All bodies of requests below a part of the document, with their places: each is in a `content`. */
const mediaIn = (
  part: unknown,
  path = '',
): readonly (z.output<typeof media> & { readonly path: string })[] =>
  typeof part !== 'object' || part === null
    ? []
    : Object.entries(part).flatMap(([name, one]: [string, unknown]) => {
        const found = path.endsWith(' content') ? media.safeParse(one).data : undefined;
        return found === undefined ? mediaIn(one, `${path} ${name}`) : [{ ...found, path }];
      });

it('the body of every request has examples, which fit the schema they stand beside', () => {
  const errors = checker(document, { strict: true });
  const all = mediaIn(JSON.parse(text));
  expect(all).toHaveLength(ROUTES.filter(({ body }) => body !== undefined).length);
  const wrong = all.flatMap(({ path, schema, examples }) =>
    Object.values(examples).flatMap(({ value }) => errors(schema, value).map((error) => `${path}: ${error}`)),
  );
  expect(wrong).toEqual([]);
});
