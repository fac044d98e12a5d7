/** A test file that leaves a global changed would change it for those that share its runtime. */
import { afterAll } from 'vitest';
import { changedGlobals, undoStubs } from './globals.ts';

afterAll(() => {
  undoStubs();
  const changed = changedGlobals();
  if (changed.length > 0)
    throw new Error(
      `This file leaves ${changed.join(', ')} changed for the files that share its runtime: undo that in \`afterEach\`.`,
    );
});
