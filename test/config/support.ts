import { expect } from 'vitest';
import { compileConfig } from '../../src/config/compile/compile.ts';
import type { Route } from '../../src/config/compiled/config.ts';
import promised from './promised.json' with { type: 'json' };
import { EMPTY_SET, type ConfigSet } from '../../src/config/documents/schema.ts';

/** A set with these parts. The others are empty. */
export const setOf = (parts: Partial<ConfigSet>): ConfigSet => ({ ...EMPTY_SET, ...parts });

/** The errors of a set, one line each: `path: message`. */
export const errorsOf = (parts: Partial<ConfigSet>): readonly string[] =>
  compileConfig(setOf(parts), 1).errors.map(({ path, message }) => `${path}: ${message}`);

/** A source that anybody may post to, with what a test is about. */
export const open = (document: object = {}): Record<string, unknown> => ({
  verify: { scheme: 'none' },
  ...document,
});

/** A route that is right, with what a test is about; undefined takes a key away. */
export const routeWith = (change: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries({
      name: 'all',
      to: '4915112345678',
      send: { kind: 'text', message: 'hello' },
      ...change,
    }).filter(([, value]) => value !== undefined),
  );

/** Any text with `part` in it, for a comparison. */
export const containing = (part: string): unknown => expect.stringContaining(part);

/** The errors of a set with one source `shop`, which has this one route. */
export const routeErrors = (change: object, more: Partial<ConfigSet> = {}): readonly string[] =>
  errorsOf({ sources: { shop: open({ routes: [routeWith(change)] }) }, ...more });

/** What a set with one source `shop`, which has this one route, is compiled to. */
export const compiledRoute = (change: object, more: Partial<ConfigSet> = {}, source: object = {}) =>
  compileConfig(setOf({ sources: { shop: open({ ...source, routes: [routeWith(change)] }) }, ...more }), 1);

/** That route as it is compiled. */
export function routeOf(...args: Parameters<typeof compiledRoute>): Route {
  const { config, errors } = compiledRoute(...args);
  const [route] = config.sources.get('shop')?.routes ?? [];
  if (route === undefined) throw new Error(JSON.stringify(errors));
  return route;
}

/** The warnings about that route; there are no errors. */
export function routeWarnings(...args: Parameters<typeof compiledRoute>): readonly string[] {
  const { warnings, errors } = compiledRoute(...args);
  expect(errors).toEqual([]);
  return warnings
    .map(({ path, message }) => `${path}: ${message}`)
    .filter((one) => !one.includes('.shop.verify'));
}

/** Expects of each document one error, which begins with `at` and the row's text. */
export function expectErrors<Document>(
  at: string,
  errorsFor: (document: Document) => readonly string[],
  rows: readonly (readonly [document: Document, error: string])[],
): void {
  const found = rows.map(([document, error]) => {
    const errors = errorsFor(document);
    return [document, errors.map((one) => one.slice(0, at.length + error.length))];
  });
  expect(found).toEqual(rows.map(([document, error]) => [document, [at + error]]));
}

/** The documents that the product promises to take, as they are written there. */
export const PROMISED: ConfigSet = promised;
