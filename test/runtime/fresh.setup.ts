/** Test files that share a runtime share nothing else: before each, the project's modules are as never run. */
import { afterAll } from 'vitest';
import { changedGlobals, undoStubs } from './globals.ts';
import { evaluateAnew } from './modules.ts';

evaluateAnew();

afterAll(() => {
  undoStubs();
  const changed = changedGlobals();
  if (changed.length > 0)
    throw new Error(
      `This file leaves ${changed.join(', ')} changed for the files that share its runtime: undo that in \`afterEach\`.`,
    );
});
