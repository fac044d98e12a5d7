import 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** `TEST_CLOCK`, see {@link ./moments.ts}. */
    testClock: string;
  }
}
