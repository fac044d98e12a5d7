import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../cli/built.ts';
import { IS_RELEASED, MARK, OWNER } from './owner.ts';

/** The files that name the repository. */
const FILES = [
  'README.md',
  'docs/deploy.md',
  'docs/tutorial.md',
  'package.json',
  'packages/create-hookbell/package.json',
  'packages/create-hookbell/template/README.md',
];

/** A text in which the repository and its action have this owner. */
export const withOwner = (text: string, owner: string): string =>
  text
    .replaceAll(/github\.com\/[\w-]+\/hookbell\b/g, `github.com/${owner}/hookbell`)
    .replaceAll(/\buses: [\w-]+\/hookbell@/g, `uses: ${owner}/hookbell@`);

const COMMAND = /^(npm create hookbell@latest \S+(?: -- --[\w-]+)?)(?: *#.*)?$/gm;

/** A text in which the command that needs a release is marked until there is one. */
export const withMark = (text: string, isReleased: boolean): string =>
  text.replaceAll(COMMAND, (_, command: string) => (isReleased ? command : `${command}   ${MARK}`));

/** `npm run docs:owner`: writes the owner of the repository wherever it is named, and marks what needs a release; with `--check` only compares. */
function main(isCheck: boolean): void {
  for (const name of FILES) {
    const file = join(ROOT, name);
    const text = readFileSync(file, 'utf8');
    const right = withMark(withOwner(text, OWNER), IS_RELEASED);
    if (right === text) continue;
    if (!isCheck) writeFileSync(file, right);
    else {
      process.stderr.write(`${name} is not as scripts/owner.ts says: npm run docs:owner\n`);
      process.exitCode = 1;
    }
  }
}

if (process.argv[1] === import.meta.filename) main(process.argv.includes('--check'));
