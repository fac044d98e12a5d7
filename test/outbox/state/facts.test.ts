import { expect, it } from 'vitest';
import { factsOf, readFact, writeFact } from '../../../src/outbox/state/facts.ts';
import { empty } from '../support.ts';
import { inStorage } from '../in-storage.ts';

it('keeps a fact until it is overwritten or deleted', () =>
  inStorage(({ storage: { sql } }) => {
    empty(sql);
    expect(readFact(sql, 'one')).toBeNull();
    writeFact(sql, 'one', 'first');
    writeFact(sql, 'one', 'second');
    expect(readFact(sql, 'one')).toBe('second');
    writeFact(sql, 'one', null);
    expect(readFact(sql, 'one')).toBeNull();
  }));

it('lists the facts of one kind, and not those of a kind that begins alike', () =>
  inStorage(({ storage: { sql } }) => {
    empty(sql);
    for (const key of ['kind', 'kind:', 'kind:a', 'kind:a:b', 'kind2:c', 'kin:d'])
      writeFact(sql, key, `of ${key}`);
    expect([...factsOf(sql, 'kind')]).toEqual([
      ['', 'of kind:'],
      ['a', 'of kind:a'],
      ['a:b', 'of kind:a:b'],
    ]);
  }));
