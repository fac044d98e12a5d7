let calls = 0;

/** How often this was called since the module was run: for tests of what a test file starts with. */
export const count = (): number => (calls += 1);
