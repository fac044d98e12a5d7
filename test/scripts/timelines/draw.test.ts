import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseXml } from '@rgrove/parse-xml';
import { describe, expect, it } from 'vitest';
import { draw } from '../../../scripts/timelines/draw.ts';
import { play } from '../../../scripts/timelines/play.ts';
import { STORIES } from '../../../scripts/timelines/stories.ts';
import { ms, type Story } from '../../../scripts/timelines/story.ts';

const DOCS = join(import.meta.dirname, '../../../docs');
const PAGE = readFileSync(join(DOCS, 'alerts.md'), 'utf8');

const STORY: Story = {
  name: 'one',
  title: 'One & all <here>',
  rule: 'group: {}',
  route: {},
  begins: '23:50',
  lasts: ms('20m'),
  posts: [
    { at: 0, name: 'a', is: 'firing' },
    { at: ms('5m'), name: 'a', is: 'resolved' },
    { at: ms('10m'), name: 'a', is: 'firing' },
  ],
};

describe('a picture', () => {
  it('is XML, whatever stands in it', () => {
    expect(() => parseXml(draw(STORY, [{ at: 0, text: '<b> & "c"' }]))).not.toThrow();
  });

  it('has a bar for each time that a problem fired, up to the end if it still does', () => {
    const bars = [...draw(STORY, []).matchAll(/class="firing" x1="([\d.]+)" y1="\d+" x2="([\d.]+)"/g)];
    const places = bars.map(([, from, to]) => [Number(from), Number(to)]);
    expect(places).toHaveLength(2);
    expect(places[0]?.[0]).toBeLessThan(places[0]?.[1] ?? 0);
    expect(places[1]?.[1]).toBe(720);
  });

  it('names the time of day, over midnight, too', () => {
    const picture = draw(STORY, [{ at: ms('12m'), text: 'a message' }]);
    expect(picture).toContain('>00:02</text>');
    expect(picture).toContain('a message');
  });

  it('has a place for each of two messages at the same time', () => {
    const heard = [
      { at: 0, text: 'a' },
      { at: 0, text: 'b' },
    ];
    const places = [...draw(STORY, heard).matchAll(/class="message" cx="([\d.]+)"/g)].map(([, x]) => x);
    expect(new Set(places).size).toBe(2);
  });
});

describe.each(STORIES.map((story) => [story.name, story] as const))('docs/alerts/%s.svg', (name, story) => {
  const picture = readFileSync(join(DOCS, 'alerts', `${name}.svg`), 'utf8');

  it('is what the rules do', () => {
    expect(picture, 'npm run docs:alerts').toBe(draw(story, play(story)));
  });

  it('needs nothing from elsewhere, and has colours for dark and light', () => {
    expect(picture.replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(
      /https?:|@import|url\(|<image|<script/,
    );
    expect(picture).toContain('prefers-color-scheme: dark');
  });

  it('is on the page, with its title for those who do not see it', () => {
    expect(PAGE).toContain(`![${story.title}](alerts/${name}.svg)`);
  });
});

describe('docs/alerts', () => {
  it('has no picture that no story makes', () => {
    expect(readdirSync(join(DOCS, 'alerts')).sort()).toEqual(STORIES.map(({ name }) => `${name}.svg`).sort());
  });
});
