import { expect, it } from 'vitest';
import { plainMarkdown } from '../../cli/markdown.ts';

it('Markdown becomes plain lines, with lists indented', () => {
  expect(
    plainMarkdown(
      '1. Open **Settings → Hooks** and `save` it, *please*: [docs](https://a.example)\n- 2 * 3 * 4',
      30,
    ),
  ).toEqual([
    '1. Open Settings → Hooks and',
    '   save it, please: docs',
    '   (https://a.example)',
    '- 2 * 3 * 4',
  ]);
});
