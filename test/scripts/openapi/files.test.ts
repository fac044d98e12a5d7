import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { docsFile, FOLDER, openapiFile } from '../../../openapi/files.ts';

const ROOT = join(import.meta.dirname, '../../..');
const found = (name: string): Promise<string> => readFile(join(ROOT, FOLDER, name), 'utf8');

describe('the files that describe the API', () => {
  it('are the one that `npm run docs:openapi` writes, and the page that `npm ci` builds', async () => {
    expect((await found('openapi.json')) === openapiFile(), 'openapi.json is up to date').toBe(true);
    expect((await found('docs.html')) === (await docsFile()), 'docs.html: npm run prepare').toBe(true);
  });

  it('are small enough to be sent for every look at them', async () => {
    for (const content of [openapiFile(), await docsFile()]) expect(content.length).toBeLessThan(800_000);
  });
});

describe('openapi.json', () => {
  it('is right by the specification of OpenAPI 3.1', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(join(ROOT, FOLDER, 'openapi.json'));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    expect(validator.version).toBe('3.1');
  });

  it('would not be, with a mistake in it', async () => {
    const text = openapiFile();
    const { valid } = await new Validator().validate(text.replaceAll('"responses"', '"answers"'));
    expect(valid).toBe(false);
  });
});
