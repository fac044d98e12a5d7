import { describe, expect, it } from 'vitest';
import { TemplateFailure } from '../../../src/template/basics/budget.ts';
import { describeFailure } from '../../../src/template/basics/failure.ts';

describe('describeFailure', () => {
  it.each([
    [new TemplateFailure('because'), 'because'],
    [Object.assign(new Error('outer'), { originalError: new TemplateFailure('inner') }), 'inner'],
    [new RangeError('Maximum call stack size exceeded'), 'a value is nested too deeply'],
    [new Error('the secret is 42'), 'cannot be evaluated'],
    ['the secret is 42', 'cannot be evaluated'],
  ])('%s', (error, expected) => {
    expect(describeFailure(error)).toBe(expected);
  });
});
