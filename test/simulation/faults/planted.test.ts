import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PLANTED } from './planted.ts';

const SIMULATION = join(import.meta.dirname, '..');
const PAGE = readFileSync(join(SIMULATION, '../../docs/guarantees/simulation.md'), 'utf8');

/** The code that checks rules, without the planted faults. */
const CODE = globSync('{model,world,platform,run}/*.ts', { cwd: SIMULATION })
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => readFileSync(join(SIMULATION, file), 'utf8'))
  .join('\n');

/** The rows of the page's table: a fault's name and the rule that finds it. */
const rows = PAGE.slice(PAGE.indexOf('\n| planted fault '))
  .trim()
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, name = '', rule = '']) => ({ name, rule }))
  .filter(({ name }) => name !== 'planted fault' && !/^-+$/.test(name));

const literals = new Set([...CODE.matchAll(/'([^'\n]+)'/g)].map(([, text = '']) => text));

/** The names of rules that are put together from literals: `${holder} holds back ${held}`. */
const composed = [...CODE.matchAll(/report\(\s*`([\w ${}]+)`/g)].map(
  ([, template = '']) => new RegExp(`^${template.replaceAll(/\$\{\w+\}/g, '(.+)')}$`),
);

function isRule(name: string): boolean {
  if (literals.has(name)) return true;
  const parts = composed.flatMap((pattern) => pattern.exec(name)?.slice(1) ?? []);
  return parts.length > 0 && parts.every((part) => literals.has(part));
}

describe('the table of planted faults in docs/guarantees/simulation.md', () => {
  it('has each fault once, and no other', () => {
    const planted = PLANTED.map(({ name }) => name);
    expect(rows.map(({ name }) => name).toSorted()).toEqual(planted.toSorted());
  });

  it('names rules that the simulation has', () => {
    expect(rows.filter(({ rule }) => !isRule(rule))).toEqual([]);
  });
});
