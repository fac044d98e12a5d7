import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { draw } from './draw.ts';
import { playWeek } from './play.ts';
import { STORIES } from './stories.ts';

const FOLDER = join(import.meta.dirname, '../../docs/recipes');

/**
 * `npm run docs:recipes`: plays the week of each recipe through the relay, and draws what the first phone shows. With `--check`
 * nothing is written, and it fails when a picture is stale.
 */
async function main(isCheck: boolean): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  for (const story of STORIES) {
    const file = join(FOLDER, `${story.recipe}.svg`);
    const made = draw(await playWeek(story), Object.keys(story.phones)[0] ?? '');
    if (!isCheck) writeFileSync(file, made);
    else if (made !== readFileSync(file, 'utf8')) {
      process.stderr.write(
        `docs/recipes/${story.recipe}.svg is not what the phone shows: npm run docs:recipes\n`,
      );
      process.exitCode = 1;
    }
  }
}

await main(process.argv.includes('--check'));
