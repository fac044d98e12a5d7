import { expect, it } from 'vitest';
import {
  TemplateFailure,
  createBudget,
  createRouteBudget,
  MAX_OUTPUT_LENGTH,
  MAX_ROUTE_WORK,
  MAX_WORK,
} from '../../../src/template/basics/budget.ts';

it('a budget ends after its last unit of work and its last character of output, and not before', () => {
  const { work, write } = createBudget();
  work(MAX_WORK);
  expect(() => work(1)).toThrow(TemplateFailure);
  write(MAX_OUTPUT_LENGTH);
  expect(() => write(1)).toThrow(`more than ${MAX_OUTPUT_LENGTH} characters of output`);
});

it('a budget gives nothing back for less than nothing, nor for what is no number', () => {
  const { work } = createBudget();
  for (const count of [MAX_WORK, -1_000, Number.NaN]) work(count);
  expect(() => work(1)).toThrow(TemplateFailure);
});

it('a budget ends with its route’s: many renders within their own bounds are bounded together', () => {
  const route = createRouteBudget();
  const renders = Array.from({ length: MAX_ROUTE_WORK / MAX_WORK }, () => createBudget(route));
  for (const { work } of renders) work(MAX_WORK);
  expect(() => createBudget(route).work(1)).toThrow('all messages of the route together');
  expect(() => createBudget(createRouteBudget()).work(1)).not.toThrow();
});
