import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findWrangler } from '../../cli/find-wrangler.ts';
import { newFolder } from './support.ts';

const messageOf = (found: ReturnType<typeof findWrangler>): string => (found.ok ? '' : found.error.message);

describe('Wrangler', () => {
  it('is found beside this hookbell', () => {
    const found = findWrangler();
    expect(found.ok && existsSync(found.value.program)).toBe(true);
  });

  it('that is not installed is one line, with the command that installs it', () => {
    const empty = newFolder();
    expect(messageOf(findWrangler('22.0.0', [join(empty, 'package.json')]))).toBe(
      'Wrangler is not installed: `npm install --save-dev wrangler` in this folder installs it',
    );
  });

  it('on a Node that is too old for it is one line, with what works there', () => {
    expect(messageOf(findWrangler('20.20.2'))).toMatch(
      /^Wrangler needs Node 22 or newer, and this is Node 20\.20\.2: .*`hookbell dev`.* work with this one$/,
    );
  });
});
