import type { TestProject } from 'vitest/node';
import { pack, type Tarballs } from '../../scripts/pack.ts';

declare module 'vitest' {
  interface ProvidedContext {
    tarballs: Tarballs;
  }
}

/** Packs once for all tests. */
export default function setup(project: TestProject): void {
  project.provide('tarballs', pack());
}
