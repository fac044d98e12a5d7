import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseXml } from '@rgrove/parse-xml';
import { expect, it } from 'vitest';
import { draw } from '../../../scripts/timelines/draw.ts';
import { play } from '../../../scripts/timelines/play.ts';
import { STORIES } from '../../../scripts/timelines/stories.ts';
import { ms, posts, type Story } from '../../../scripts/timelines/story.ts';

const STORY: Story = {
  name: 'one',
  title: 'One & all <here>',
  rule: 'group: {}',
  route: {},
  begins: '23:50',
  lasts: ms('20m'),
  posts: posts(['a: +0s -5m +10m']),
};

it('a picture has a bar for each time that a problem fired, up to the end if it still does', () => {
  const bars = [...draw(STORY, []).matchAll(/class="firing" x1="([\d.]+)" y1="\d+" x2="([\d.]+)"/g)];
  const [[from = 0, to = 0] = [], [, end] = []] = bars.map(([, x1, x2]) => [Number(x1), Number(x2)]);
  expect(bars).toHaveLength(2);
  expect(from).toBeLessThan(to);
  expect(end).toBe(720);
});

it('a picture is XML, names the time of day over midnight, and has a place for each of two messages at once', () => {
  const at = ms('12m');
  const picture = draw(STORY, [
    { at, text: '<b> & "c"' },
    { at, text: 'b' },
  ]);
  expect(() => parseXml(picture)).not.toThrow();
  expect(picture).toContain('>00:02</text>');
  const places = [...picture.matchAll(/class="message" cx="([\d.]+)"/g)].map(([, x]) => x);
  expect(new Set(places).size).toBe(2);
});

it('each picture needs nothing from elsewhere, and is on the page with its title for those who do not see it', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/alerts.md'), 'utf8');
  for (const story of STORIES) {
    const picture = draw(story, play(story)).replaceAll('http://www.w3.org/2000/svg', '');
    expect(picture).not.toMatch(/https?:|@import|url\(|<image|<script/);
    expect(page).toContain(`![${story.title}](alerts/${story.name}.svg)`);
  }
});
