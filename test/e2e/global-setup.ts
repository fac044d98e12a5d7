import type { TestProject } from 'vitest/node';
import { buildBundles, type Bundles } from './build.ts';

declare module 'vitest' {
  interface ProvidedContext {
    bundles: Bundles;
  }
}

/** Bundles once for all tests. */
export default function setup(project: TestProject): void {
  project.provide('bundles', buildBundles());
}
