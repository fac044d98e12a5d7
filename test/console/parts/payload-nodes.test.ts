import fc from 'fast-check';
import { Liquid } from 'liquidjs';
import { describe, expect, test } from 'vitest';
import { childPath, firstOpen, nodesOf } from '../../../console/parts/payload/nodes.ts';

const engine = new Liquid();
const drawn = new Map<string, number>();

describe('the path of a value', () => {
  test.each([
    ['items', 'payload.items'],
    ['content-type', 'payload.content-type'],
    [0, 'payload[0]'],
    ['odd key', 'payload["odd key"]'],
    ['1st', 'payload["1st"]'],
    ['', 'payload[""]'],
    ['ends-', 'payload["ends-"]'],
  ])('%j is %s', (key, path) => {
    expect(childPath('payload', key)).toBe(path);
  });

  test('leads Liquid to the value, whatever the keys are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string(), { minLength: 1, maxLength: 3 }), async (keys) => {
        const scope = keys.reduceRight<unknown>((value, key) => Object.fromEntries([[key, value]]), 'found');
        const path = keys.reduce(childPath, 'payload');
        expect(await engine.evalValue(path, { payload: scope })).toBe('found');
      }),
    );
  });
});

describe('the rows of a tree', () => {
  const payload = { a: { b: [1, 2] }, c: 'x', d: {}, e: [] };

  test('are those of what is open, with their places among their siblings', () => {
    const open = new Set(['payload', 'payload.a']);
    const rows = nodesOf('payload', payload, { open, drawn });
    expect(rows.map(({ path, level, position, of }) => [path, level, position, of])).toEqual([
      ['payload', 1, 1, 1],
      ['payload.a', 2, 1, 4],
      ['payload.a.b', 3, 1, 1],
      ['payload.c', 2, 2, 4],
      ['payload.d', 2, 3, 4],
      ['payload.e', 2, 4, 4],
    ]);
  });

  test('can be opened only where something is inside', () => {
    const rows = nodesOf('payload', payload, { open: new Set(['payload']), drawn });
    expect(rows.map((row) => (row.is === 'value' ? row.size : null))).toEqual([4, 1, null, null, null]);
  });

  test('of a long list are a hundred, and one that says how many are left', () => {
    const rows = nodesOf('payload', Array.from({ length: 250 }).fill(0), {
      open: new Set(['payload']),
      drawn,
    });
    expect(rows).toHaveLength(102);
    expect(rows.at(-1)).toMatchObject({ is: 'more', parent: 'payload', left: 150 });
  });

  test('of a long list are as many as were asked for', () => {
    const open = new Set(['payload']);
    const rows = nodesOf('payload', Array.from({ length: 250 }).fill(0), {
      open,
      drawn: new Map([['payload', 300]]),
    });
    expect(rows).toHaveLength(251);
  });
});

describe('what is open at first', () => {
  test('is all of a small payload', () => {
    expect([...firstOpen('payload', { a: { b: [1] } })]).toEqual(['payload', 'payload.a', 'payload.a.b']);
  });

  test('is only the root of a large one', () => {
    const wide = Object.fromEntries(Array.from({ length: 90 }, (_, n) => [`k${n}`, { x: n }]));
    expect([...firstOpen('payload', wide)]).toEqual(['payload']);
  });

  test('never draws more rows than it may, but for the root’s own', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const rows = nodesOf('payload', value, { open: firstOpen('payload', value, 20), drawn });
        const own = nodesOf('payload', value, { open: new Set(['payload']), drawn });
        expect(rows.length).toBeLessThanOrEqual(Math.max(21, own.length));
      }),
    );
  });
});
