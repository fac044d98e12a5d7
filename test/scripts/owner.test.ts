import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../cli/built.ts';
import { withOwner } from '../../scripts/owner-links.ts';

describe('the owner of the repository', () => {
  it('is one constant, by which every link is written', () => {
    const text =
      'https://github.com/OWNER/hookbell/tree/main and uses: OWNER/hookbell@v1, and https://github.com/OWNER/other';
    expect(withOwner(text, 'ada')).toBe(
      'https://github.com/ada/hookbell/tree/main and uses: ada/hookbell@v1, and https://github.com/OWNER/other',
    );
  });

  it('is the same wherever the repository is named', () => {
    const named = execFileSync(
      'git',
      [
        'grep',
        '-hoE',
        'github\\.com/[A-Za-z-]+/hookbell\\b',
        '--',
        '*.md',
        '*.json',
        '*.yml',
        '*.ts',
        ':!docs/decisions',
        ':!test',
      ],
      {
        cwd: ROOT,
        encoding: 'utf8',
      },
    );
    expect(new Set(named.trim().split('\n')).size).toBe(1);
  });
});
