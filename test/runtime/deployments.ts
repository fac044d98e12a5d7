import { join } from 'node:path';
import type { Plugin } from 'vitest/config';

const MAIN = join(import.meta.dirname, 'main.ts');

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, n) => n);

/** The bindings of `count` deployments, for Miniflare. */
export const deploymentBindings = (count: number) => ({
  kvNamespaces: numbers(count).map((n) => `CONFIG_${n}`),
  durableObjects: Object.fromEntries(
    numbers(count).flatMap((n) => [
      [`OUTBOX_${n}`, { className: `Outbox${n}`, useSQLite: true }],
      [`REGISTRY_${n}`, { className: `Registry${n}`, useSQLite: true }],
    ]),
  ),
});

/** Has `main.ts` export the classes of `count` deployments. */
export const deploymentClasses = (count: number): Plugin => ({
  name: 'hookbell:deployments',
  enforce: 'pre',
  transform: (code, id) =>
    id === MAIN
      ? `${code}\n${numbers(count)
          .map((n) => `export const Outbox${n} = outboxOf(${n}), Registry${n} = registryOf(${n});`)
          .join('\n')}`
      : undefined,
});
