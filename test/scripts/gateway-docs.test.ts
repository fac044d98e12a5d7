import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gatewaySections, guaranteeSections } from '../../scripts/gateway-tables.ts';
import { withSections } from '../../scripts/page-section.ts';
import { MAKERS } from '../../src/gateway/makers/makers.ts';

const page = (file: string): string => join(import.meta.dirname, '../../docs', file);

describe('the tables of gateways', () => {
  it.each([
    ['gateway.md', gatewaySections],
    ['guarantees.md', guaranteeSections],
  ])('of docs/%s say what the makers declare: else `npm run docs:gateways`', async (file, sections) => {
    const text = readFileSync(page(file), 'utf8');
    expect(await withSections(page(file), text, sections())).toBe(text);
  });

  it('name each maker: what it takes, what proves that it has sent, and what a repeated call does', () => {
    const tables = [...Object.values(gatewaySections()), ...Object.values(guaranteeSections())];
    expect(tables).toHaveLength(4);
    for (const text of tables) for (const { id } of MAKERS) expect(text).toContain(`| \`${id}\` |`);
  });

  it('name the option that a kind needs', () => {
    expect(gatewaySections()['kinds of gateways']).toMatch(/`twilio` .*with `channel: whatsapp`/);
  });
});
