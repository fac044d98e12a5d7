import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, it } from 'vitest';
import { docsFile, openapiFile } from '../../../api-docs/files.ts';

it('the description of the API is right by the specification of OpenAPI 3.1, and would not be with a mistake in it', async () => {
  const text = openapiFile();
  const validator = new Validator();
  expect(await validator.validate(text)).toEqual({ valid: true });
  expect(validator.version).toBe('3.1');
  expect(await new Validator().validate(text.replaceAll('"responses"', '"answers"'))).toMatchObject({
    valid: false,
  });
});

it('the description and its page are small enough to be sent for every look at them', async () => {
  for (const content of [openapiFile(), await docsFile()]) expect(content.length).toBeLessThan(950_000);
});
