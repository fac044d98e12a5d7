import { expect, it } from 'vitest';
import { MAKERS_IN_WORDS } from '../../../src/gateway/makers/in-words.ts';
import { MAKERS } from '../../../src/gateway/makers/makers.ts';

it('every maker is offered in words, in the same order', () => {
  expect(MAKERS_IN_WORDS.map(({ id }) => id)).toEqual(MAKERS.map(({ id }) => id));
});
