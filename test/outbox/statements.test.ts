import { describe, expect, it } from 'vitest';

/** Every source file that may talk to an object's SQLite. */
const FILES = import.meta.glob<string>('../../src/{outbox,registry,config}/**/*.ts', {
  query: '?raw',
  import: 'default',
  eager: true,
});

/**
 * They write a list into a statement that is short: what is in flight, and was when the object stopped, six and six; nine words for
 * what is critical; or cut it, as `event-messages.ts` does.
 */
const SHORT_LISTS: ReadonlySet<string> = new Set([
  'gauges.ts',
  'read.ts',
  'event-messages.ts',
  'severity.ts',
]);

/** A platform's statement ends at 100 bound parameters and 100 KB: what is put together from a list may reach both. */
const FROM_A_LIST = /\.(?:join|map)\([^)]*\)\s*\}?[^;\n]*\b(?:IN|VALUES)\b|\bIN \(\$\{|VALUES \$\{|'\?'/g;

describe('a statement of an object', () => {
  it('is never put together from a list of any length', () => {
    const found = Object.entries(FILES).flatMap(([path, text]) => {
      const file = path.split('/').at(-1) ?? '';
      const isKnown = SHORT_LISTS.has(file);
      return isKnown ? [] : [...text.matchAll(FROM_A_LIST)].map(([match]) => `${file}: ${match}`);
    });
    expect(Object.keys(FILES).length).toBeGreaterThan(50);
    expect(found).toEqual([]);
  });

  it('names the columns that it writes, so that it also writes where a newer release has added one', () => {
    const found = Object.entries(FILES).flatMap(([path, text]) =>
      [...text.matchAll(/\bINTO [\w${}]+(?! \()(?![\w${}])/g)].map(([match]) => `${path}: ${match}`),
    );
    expect(found).toEqual([]);
  });

  it('makes a table only in a schema, where releases count what they add', () => {
    const makers = Object.entries(FILES).flatMap(([path, text]) =>
      /\b(CREATE|ALTER) TABLE\b/.test(text) ? [path.slice(path.indexOf('/src/') + 1)] : [],
    );
    expect(makers).toEqual(['src/outbox/state/schema.ts', 'src/registry/schema.ts']);
  });

  it('has at most 100 values', () => {
    const most = Object.values(FILES).flatMap((text) =>
      [...text.matchAll(/`[^`]*`|'[^'\n]*'/g)].map(([sql]) => (sql.match(/\?/g) ?? []).length),
    );
    expect(Math.max(...most)).toBeLessThanOrEqual(100);
  });
});
