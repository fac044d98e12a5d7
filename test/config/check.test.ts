import { describe, expect, it } from 'vitest';
import { documentsOf, rightOnes } from '../../src/config/check.ts';
import { errorsOf, open, setOf } from './support.ts';

/** As it comes from JSON: there `__proto__` is a key like any other. */
const named = (name: string, document: unknown): Record<string, unknown> =>
  Object.fromEntries([[name, document]]);

describe('the name of a document', () => {
  it.each(['a', 'A-b_9', 'x'.repeat(64), 'constructor', 'toString', 'valueOf'])('may be %s', (name) => {
    const { sources } = documentsOf(setOf({ sources: named(name, open()) }));
    expect(sources.errors(name)).toEqual([]);
    expect(rightOnes(sources).map(([right]) => right)).toEqual([name]);
  });

  it.each(['', 'a b', 'a/b', '-a', 'ä', 'x'.repeat(65), '__proto__', 'a.b'])('is not %j', (name) => {
    const errors = errorsOf({ sources: named(name, open()) });
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain('the name must be letters, digits, `-` and `_`, 64 at most');
  });

  it('of an account is stricter, and says so: it becomes part of the names of secrets', () => {
    for (const name of ['Sales', '1st', 'x'.repeat(33), '__proto__']) {
      expect(errorsOf({ accounts: named(name, {}) })).toEqual([
        `accounts.${name}: the name of an account must be lower-case letters, digits, \`-\` and \`_\`, 32 at most, starting with a letter`,
      ]);
    }
  });

  it('of a recipients list does not look like a number, which `to` would take it for', () => {
    expect(errorsOf({ recipients: { '4915112345678': { numbers: [] } } })).toEqual([
      'recipients.4915112345678: the name of a recipients list must not look like a number',
    ]);
    expect(errorsOf({ recipients: { '24h': { numbers: [] }, '112': { numbers: [] } } })).toEqual([]);
  });
});

describe('the documents of a set', () => {
  it('are all checked: one that is wrong does not hide another', () => {
    const errors = errorsOf({
      sources: { a: null, b: open() },
      templates: { t: {} },
      recipients: { r: {} },
      accounts: { default: [] },
    });
    expect(errors.map((error) => error.split(':')[0])).toEqual([
      'sources.a',
      'templates.t.kind',
      'recipients.r.numbers',
      'accounts.default',
    ]);
  });

  it('keep their names even when they are wrong, so that who names them is not wrong as well', () => {
    const { templates } = documentsOf(setOf({ templates: { t: {} } }));
    expect(templates.names).toEqual(['t']);
    expect(templates.has('t')).toBe(true);
    expect(templates.get('t')).toBeUndefined();
    expect(rightOnes(templates)).toEqual([]);
  });

  it('are none that a set does not have, whatever an object has of its own', () => {
    const { templates } = documentsOf(setOf({}));
    expect(templates.get('constructor')).toBeUndefined();
    expect(templates.errors('constructor')).toEqual([]);
  });
});
