import { expect, it } from 'vitest';
import { sameText } from '../../../console/pages/templates/drafts.ts';
import { changesOf, type TextVersion } from '../../../console/pages/templates/steps.ts';

const step = (version: number, message: string | null): TextVersion => ({
  version: { version, published_at: '2026-01-05T08:30:00.000Z', by: 'token', note: '', active: false },
  text: message === null ? null : { kind: 'text', message },
});
const numbers = (steps: readonly TextVersion[]) => steps.map(({ version }) => version.version);

it('only versions that changed the text are shown', () => {
  const steps = [step(5, 'b'), step(4, 'b'), step(3, 'a'), step(2, 'a'), step(1, null)];
  expect(numbers(changesOf(steps, true))).toEqual([4, 2]);
});

it('of the oldest that is known it is not known, unless it is the first of all', () => {
  expect(numbers(changesOf([step(9, 'a'), step(8, 'a')], false))).toEqual([]);
  expect(numbers(changesOf([step(2, 'a'), step(1, 'a')], true))).toEqual([1]);
});

it('the order of keys does not make another text', () => {
  expect(sameText({ kind: 'text', message: 'a' }, { message: 'a', kind: 'text' })).toBe(true);
  expect(sameText({ kind: 'text', message: 'a' }, null)).toBe(false);
});
