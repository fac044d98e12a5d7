import { describe, expect, it } from 'vitest';
import { TemplateFailure, createBudget, createRouteBudget } from '../../../src/template/basics/budget.ts';
import { MAX_OUTPUT_LENGTH, MAX_ROUTE_WORK, MAX_WORK } from '../../../src/template/basics/limits.ts';

describe('a budget', () => {
  it('ends after its last unit of work, and not before', () => {
    const { work } = createBudget();
    work(MAX_WORK);
    expect(() => work(1)).toThrow(TemplateFailure);
  });

  it('ends after its last character of output', () => {
    const { write } = createBudget();
    write(MAX_OUTPUT_LENGTH);
    expect(() => write(1)).toThrow(`more than ${MAX_OUTPUT_LENGTH} characters of output`);
  });

  it('gives nothing back for less than nothing, nor for what is no number', () => {
    const { work } = createBudget();
    work(MAX_WORK);
    work(-1_000);
    work(Number.NaN);
    expect(() => work(1)).toThrow(TemplateFailure);
  });

  it('is one for each render', () => {
    createBudget().work(MAX_WORK);
    expect(() => createBudget().work(MAX_WORK)).not.toThrow();
  });

  it('ends with its route’s: many renders within their own bounds are bounded together', () => {
    const route = createRouteBudget();
    const renders = Array.from({ length: MAX_ROUTE_WORK / MAX_WORK }, () => createBudget(route));
    for (const { work } of renders) work(MAX_WORK);
    expect(() => createBudget(route).work(1)).toThrow('all messages of the route together');
    expect(() => createBudget(createRouteBudget()).work(1)).not.toThrow();
  });
});
