import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

/** The types that a file exports from its outermost level. */
const DECLARED = /^export (?:declare )?(?:abstract )?(?:interface|type|class) (\w+)/gm;

const exportedTypes = (code: string): readonly string[] =>
  [...code.matchAll(DECLARED)].map(([, name = '']) => name);

/** The names that more than one file exports, each with its files. */
function shared(files: Readonly<Record<string, string>>): readonly string[] {
  const paths = new Map<string, readonly string[]>();
  for (const [path, code] of Object.entries(files))
    for (const name of exportedTypes(code)) paths.set(name, [...(paths.get(name) ?? []), path]);
  return [...paths].filter(([, of]) => of.length > 1).map(([name, of]) => `${name}: ${of.join(', ')}`);
}

describe('the name of an exported type', () => {
  it.each([
    ['an interface', 'export interface Taken {}'],
    ['an interface with parameters', 'export interface Taken<Item> {}'],
    ['a type', 'export type Taken = string;'],
    ['a class', 'export class Taken {}'],
    ['an abstract class', 'export abstract class Taken {}'],
  ])('is found for %s', (_, code) => {
    expect(shared({ 'a.ts': code, 'b.ts': 'export type Taken = 1;' })).toEqual(['Taken: a.ts, b.ts']);
  });

  it.each([
    ['is not exported', 'interface Taken {}'],
    ['is exported again', "export type { Taken } from './b.ts';"],
    ['has a longer name', 'export interface TakenItem {}'],
  ])('is free where a type %s', (_, code) => {
    expect(shared({ 'a.ts': code, 'b.ts': 'export type Taken = 1;' })).toEqual([]);
  });

  it('belongs to one type of `src`', () => {
    const paths = globSync('src/**/*.ts', { cwd: ROOT })
      .map((path) => path.replaceAll('\\', '/'))
      .filter((path) => !path.endsWith('.test.ts'));
    expect(paths.length).toBeGreaterThan(500);
    expect(
      shared(Object.fromEntries(paths.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]))),
    ).toEqual([]);
  });
});
