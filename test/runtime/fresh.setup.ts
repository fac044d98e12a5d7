/** Test files share a runtime (a start takes seconds), but nothing else: before each, it is made as new. */
import { reset } from 'cloudflare:test';
import { waitForGlobalWaitUntil } from 'cloudflare:test-internal';
import { afterAll } from 'vitest';
import { changedGlobals, undoStubs } from './globals.ts';
import { evaluateAnew } from './modules.ts';

// First what is stored: an alarm between the two would find its object's class replaced.
await reset();
evaluateAnew();

afterAll(async () => {
  undoStubs();
  // Else what a request still does after its answer would reach into the next file, and hold up its imports.
  await waitForGlobalWaitUntil().catch(() => undefined);
  const changed = changedGlobals();
  if (changed.length > 0)
    throw new Error(
      `This file leaves ${changed.join(', ')} changed for the files that share its runtime: undo that in \`afterEach\`.`,
    );
});
