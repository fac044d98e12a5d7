import { describe, expect, it } from 'vitest';
import { TemplateFailure, createBudget, createRouteBudget } from '../../../src/template/basics/budget.ts';
import {
  MAX_ALLOCATED,
  MAX_OUTPUT_LENGTH,
  MAX_ROUTE_STEPS,
  MAX_SCANNED,
  MAX_STEPS,
} from '../../../src/template/basics/limits.ts';

describe('a budget', () => {
  it('ends after its last step, and not before', () => {
    const { step } = createBudget();
    step(MAX_STEPS);
    expect(() => step(1)).toThrow(TemplateFailure);
  });

  it('ends after its last character of output', () => {
    const { write } = createBudget();
    write(MAX_OUTPUT_LENGTH);
    expect(() => write(1)).toThrow(`more than ${MAX_OUTPUT_LENGTH} characters of output`);
  });

  it('ends after its last unit of work, and after the last character that is made', () => {
    const { work, make } = createBudget();
    work(MAX_SCANNED);
    expect(() => work(1)).toThrow('too large to be looked through');
    make(MAX_ALLOCATED);
    expect(() => make(1)).toThrow('grow too large');
  });

  it('gives nothing back for less than nothing, nor for what is no number', () => {
    const { work } = createBudget();
    work(MAX_SCANNED);
    work(-1_000);
    work(Number.NaN);
    expect(() => work(1)).toThrow(TemplateFailure);
  });

  it('is one for each render', () => {
    createBudget().step(MAX_STEPS);
    expect(() => createBudget().step(MAX_STEPS)).not.toThrow();
  });

  it('ends with its route’s: many renders within their own bounds are bounded together', () => {
    const route = createRouteBudget();
    const renders = Array.from({ length: MAX_ROUTE_STEPS / MAX_STEPS }, () => createBudget(route));
    for (const { step } of renders) step(MAX_STEPS);
    expect(() => createBudget(route).step(1)).toThrow('all messages of the route together');
    expect(() => createBudget(createRouteBudget()).step(1)).not.toThrow();
  });
});
