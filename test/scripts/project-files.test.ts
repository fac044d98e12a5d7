import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { factsText } from '../../scripts/facts.ts';

const ROOT = join(import.meta.dirname, '../..');
const text = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const PAGES = globSync('{*.md,docs/**/*.md,test/{*,*/*}.md,packages/*/*.md}', { cwd: ROOT });

/** As GitHub makes them of headings. */
const anchorsOf = (page: string): readonly string[] =>
  [...page.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\d_\- ]/gu, '')
      .replaceAll(' ', '-'),
  );

it('no page has a link that leads nowhere', () => {
  const wrong = PAGES.flatMap((path) =>
    [...text(path).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]*))?\)/g)].flatMap(
      ([link, file = '', anchor]) => {
        const target = file === '' ? path : join(dirname(path), file);
        if (!existsSync(join(ROOT, target))) return [`${path}: ${link}`];
        return anchor === undefined || anchorsOf(text(target)).includes(anchor) ? [] : [`${path}: ${link}`];
      },
    ),
  );
  expect(wrong).toEqual([]);
});

it('no page names a script that there is not', () => {
  const { scripts } = z
    .object({ scripts: z.record(z.string(), z.string()) })
    .parse(parse(text('package.json')));
  const named = PAGES.flatMap((path) =>
    [...text(path).matchAll(/npm run (?:-s |--silent )?(\w[\w:-]*)/g)].map(
      ([, name = '']) => [path, name] as const,
    ),
  );
  // `dev` is a script of the projects that `npm create hookbell` makes.
  expect(named.filter(([, name]) => !(name in scripts) && name !== 'dev')).toEqual([]);
});

it('a page that says where to read or change something names files that there are', () => {
  const places = ['', 'src', 'src/outbox', 'cli'];
  const pages = PAGES.filter((path) => /decisions|adding|architecture/.test(path));
  const named = pages.flatMap((path) =>
    [...text(path).matchAll(/`([\w.-]+(?:\/[\w.-]+)+)`/g)].map(([, name = '']) => [path, name] as const),
  );
  expect(named.filter(([, name]) => !places.some((at) => existsSync(join(ROOT, at, name))))).toEqual([]);
});

it('no deploy records traces: they hold the addresses of calls, and some of these hold a secret', () => {
  for (const path of ['wrangler.toml', 'packages/create-hookbell/template/wrangler.toml'])
    expect(text(path)).toMatch(/^\[observability\.traces\]\nenabled = false$/m);
});

it('CI may only read, and workflows take each action by its commit, since a tag can be moved', () => {
  expect(parse(text('.github/workflows/ci.yml'))).toMatchObject({ permissions: { contents: 'read' } });
  const uses = globSync('.github/workflows/*', { cwd: ROOT }).flatMap(
    (file) => text(file).match(/^\s*(?:- )?uses:.*$/gm) ?? [],
  );
  expect(uses.length).toBeGreaterThan(0);
  for (const line of uses) expect(line).toMatch(/uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

it('the file of facts is ASCII, since one other character would double the memory that an isolate needs for it', () => {
  // oxlint-disable-next-line no-control-regex -- all of ASCII
  expect(/^[\0-\x7f]+$/.test(factsText())).toBe(true);
});
