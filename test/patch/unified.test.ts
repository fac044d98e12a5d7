import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { unifiedDiff } from '../../patch/unified.ts';

/** Few different lines, so that many stay; the last one perhaps without its end. */
const text = fc
  .tuple(fc.array(fc.constantFrom('a', 'b', '', '\r', '- c'), { maxLength: 40 }), fc.constantFrom('', 'd'))
  .map(([lines, last]) => lines.map((line) => `${line}\n`).join('') + last);

test('a unified diff is what the library for it writes', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const expected = createTwoFilesPatch('a/x', 'b/x', before, after, undefined, undefined, {
        context: 3,
        headerOptions: FILE_HEADERS_ONLY,
      });
      expect(unifiedDiff('x', before, after)).toBe(expected);
    }),
  );
});

test('a file that is made or deleted has no name on the other side', () => {
  expect(unifiedDiff('x', null, 'a\n')).toBe('--- /dev/null\n+++ b/x\n@@ -0,0 +1,1 @@\n+a\n');
  expect(unifiedDiff('x', 'a', null)).toBe(
    '--- a/x\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-a\n\\ No newline at end of file\n',
  );
});
