import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { describingFiles, FOLDER } from '../../../openapi/files.ts';

const ROOT = join(import.meta.dirname, '../../..');

describe('the files that describe the API', () => {
  it('are the ones that `npm run docs:openapi` writes', async () => {
    for (const [name, content] of await describingFiles()) {
      const found = await readFile(join(ROOT, FOLDER, name), 'utf8');
      expect(found === content, `${name} is as it should be`).toBe(true);
    }
  });

  it('are small enough to be sent for every look at them', async () => {
    for (const content of (await describingFiles()).values()) expect(content.length).toBeLessThan(600_000);
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
    const text = (await describingFiles()).get('openapi.json') ?? '';
    const { valid } = await new Validator().validate(text.replaceAll('"responses"', '"answers"'));
    expect(valid).toBe(false);
  });
});
