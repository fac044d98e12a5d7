import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { configSections } from '../../scripts/config-tables.ts';
import { table, withSections } from '../../scripts/page-section.ts';

const PAGE = join(import.meta.dirname, '../../docs/configuration.md');

describe('docs/configuration.md', () => {
  it('says what the schemas say: else `npm run docs:config`', async () => {
    const page = readFileSync(PAGE, 'utf8');
    expect(await withSections(PAGE, page, configSections())).toBe(page);
  });

  it('has every key of a source and its parts, with what it is and what counts without it', () => {
    const { 'keys of a source': source = '', 'keys of an account': account = '' } = configSections();
    expect(source).toContain('| `handshake.secret` | text | required |');
    expect(source).toContain('| `store` | `full` `metadata` | `full` |');
    expect(source).toContain('| `dedupe.window` | duration, 1s to 30d | `3d` |');
    expect(source).toContain('| `secrets` | list of up to 8 texts |');
    expect(account).toContain('| `rate` | `false` or object |');
  });

  it('distinguishes what schemes have in common and what they do not', () => {
    const { 'options of signatures': options = '' } = configSections();
    expect(options).toContain('| `signed` | all | text, ≤ 1,024 characters | `{raw_body}` |');
    expect(options).toContain('| `encoding` | `ecdsa` | `hex` `base64` `base64url` | `base64` |');
    expect(options).toContain('| `list_separator` | all | `,` `;` a space |');
  });
});

describe('a made section', () => {
  const page = '# A\n\n<!-- one -->\n\nold\n\n<!-- /one -->\n\nend\n';

  it('takes the place of what stood there, and nothing else', async () => {
    const made = await withSections('page.md', page, { one: table(['a'], [['x | y']]) });
    expect(made).toBe('# A\n\n<!-- one -->\n\n| a      |\n| ------ |\n| x \\| y |\n\n<!-- /one -->\n\nend\n');
  });

  it('needs a place', async () => {
    await expect(withSections('page.md', page, { two: '' })).rejects.toThrow('<!-- two -->');
  });
});
