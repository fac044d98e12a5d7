import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const text = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const FILES = globSync('**/*', {
  cwd: ROOT,
  exclude: (path) => /(?:^|\/)(?:node_modules|dist|\.\w+|vectors|captured|package-lock\.json)$/.test(path),
})
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => /\.(?:[cm]?[jt]sx?|json|ya?ml|md|css|html|toml|txt|liquid)$/.test(path))
  // Built, and the list itself.
  .filter((path) => !/^assets\/(?:console|phones)\/|^docs\/glossary\.md$|captured-/.test(path))
  .filter((path) => path !== 'test/scripts/words.test.ts');

/** The words in the left column of the glossary's last table. */
const BANNED = (text('docs/glossary.md').split(/<!-- banned: (?:begin|end) -->/)[1] ?? '')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (?:not |-)/.test(line))
  .flatMap((line) => line.split('|')[1]?.split(',') ?? [])
  .map((word) => word.trim());

/** `wasTold` and `was_told` are words, too. */
const inWords = (line: string): string => line.replaceAll(/([a-z])(?=[A-Z])/g, '$1 ').replaceAll('_', ' ');

const patternOf = (words: readonly string[]): RegExp => new RegExp(`\\b(?:${words.join('|')})\\b`, 'i');

function found(paths: readonly string[], banned: RegExp): readonly string[] {
  return paths.flatMap((path) =>
    text(path)
      .split('\n')
      .flatMap((line, index) => {
        const [word] = banned.exec(inWords(line)) ?? [];
        return word === undefined ? [] : [`${path}:${index + 1}: ${word}`];
      }),
  );
}

describe('the words that the glossary bans', () => {
  it('are in its table', () => {
    expect(BANNED).toContain('told');
    expect(BANNED).toContain('so many');
  });

  it('are found in identifiers, too', () => {
    expect(inWords('wasTold was_told')).toMatch(/^was Told was told$/);
    expect('retelling and mendacious').not.toMatch(patternOf(BANNED));
  });

  it('are nowhere in the project', () => {
    expect(FILES.length).toBeGreaterThan(1_000);
    expect(found(FILES, patternOf(BANNED))).toEqual([]);
  });

  it('of the old mechanism are not in `src`', () => {
    // Trello's boards are Trello's word.
    const paths = FILES.filter(
      (path) => path.startsWith('src/') && !path.startsWith('src/provider/catalog/'),
    );
    expect(found(paths, patternOf(['anchors?', 'boards?']))).toEqual([]);
  });
});
