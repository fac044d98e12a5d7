import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { draw } from './timelines/draw.ts';
import { play } from './timelines/play.ts';
import { STORIES } from './timelines/stories.ts';

const FOLDER = join(dirname(import.meta.dirname), 'docs/alerts');

/**
 * `npm run docs:alerts`: plays the stories of docs/alerts.md by the outbox's own rules, and draws the results. With
 * `--check` nothing is written, and it fails when a picture is stale.
 */
function main(isCheck: boolean): void {
  for (const story of STORIES) {
    const file = join(FOLDER, `${story.name}.svg`);
    const made = draw(story, play(story));
    if (!isCheck) writeFileSync(file, made);
    else if (made !== readFileSync(file, 'utf8')) {
      process.stderr.write(`docs/alerts/${story.name}.svg is not what the rules do: npm run docs:alerts\n`);
      process.exitCode = 1;
    }
  }
}

main(process.argv.includes('--check'));
