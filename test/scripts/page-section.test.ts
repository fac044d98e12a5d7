import { expect, it } from 'vitest';
import { table, withSections } from '../../scripts/page-section.ts';

it('a made section takes the place of what stood there, and nothing else; without a place it is refused', async () => {
  const page = '# A\n\n<!-- one -->\n\nold\n\n<!-- /one -->\n\nend\n';
  const made = await withSections('page.md', page, { one: table(['a'], [['x | y']]) });
  expect(made).toBe('# A\n\n<!-- one -->\n\n| a      |\n| ------ |\n| x \\| y |\n\n<!-- /one -->\n\nend\n');
  await expect(withSections('page.md', page, { two: '' })).rejects.toThrow('<!-- two -->');
});
