import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { objectPlace, placed } from '../../src/lib/bindings.ts';
import worker from '../../src/worker.ts';

it('the place of the objects is what the variables say, and none leaves the bindings as they are', () => {
  const none = { jurisdiction: null, hint: null };
  for (const [vars, place] of [
    [{}, none],
    [{ JURISDICTION: '', LOCATION_HINT: ' ' }, none],
    [
      { JURISDICTION: 'eu', LOCATION_HINT: 'weur' },
      { jurisdiction: 'eu', hint: 'weur' },
    ],
    [{ JURISDICTION: 'fedramp' }, { jurisdiction: 'fedramp', hint: null }],
  ] as const)
    expect(objectPlace(vars)).toEqual({ ok: true, value: place });
  expect(placed(env)).toBe(env);
});

describe('a place that is not known', () => {
  it.each([
    [{ JURISDICTION: 'europe' }, 'JURISDICTION must be one of eu, fedramp, and not `europe`'],
    [{ LOCATION_HINT: 'Frankfurt' }, 'LOCATION_HINT must be one of wnam, '],
  ])('is not taken for none: every request is refused, and says why: %j', async (vars, line) => {
    const request = new Request<unknown, IncomingRequestCfProperties>('https://relay.example/health');
    const answer = await worker.fetch(request, { ...env, ...vars }, createExecutionContext());
    expect(answer.status).toBe(503);
    expect(await answer.text()).toContain(line);
    expect(() => placed({ ...env, ...vars })).toThrow(line);
  });
});
