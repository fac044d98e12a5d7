import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { readSet, registry } from '../../src/config/registry-client.ts';
import { EMPTY_SET } from '../../src/config/schema.ts';
import { setOf } from './support.ts';

describe('the set in force', () => {
  it('is empty, as version 0, before anything was published; later it is the newest', async () => {
    expect(await readSet(env)).toEqual({ version: 0, set: EMPTY_SET });
    expect(await readSet(env, 1)).toBeNull();

    const set = setOf({ templates: { t: { kind: 'text', message: 'x' } } });
    await registry(env).publish({ kind: 'replace', set }, 'test', Date.now());
    expect(await readSet(env)).toEqual({ version: 1, set });
    expect(await readSet(env, 1)).toEqual({ version: 1, set });
    expect(await readSet(env, 2)).toBeNull();
    expect(await readSet(env, 0)).toBeNull();
  });
});
