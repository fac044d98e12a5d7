import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';

const ROOT = join(import.meta.dirname, '../..');
const text = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(text('package.json')));

const PAGES = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'];

/** As GitHub makes them of headings. */
const anchorsOf = (page: string): readonly string[] =>
  [...page.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );

const workflow = z.object({
  permissions: z.record(z.string(), z.string()),
  jobs: z.record(
    z.string(),
    z.object({
      steps: z.array(z.object({ uses: z.string().optional(), run: z.string().optional() })),
    }),
  ),
});

const formSchema = z.object({
  name: z.string(),
  description: z.string(),
  body: z.array(z.object({ type: z.string(), attributes: z.object({}) })),
});

describe('what greets a contributor', () => {
  it.each(PAGES)('%s has no link that leads nowhere', (path) => {
    const links = [...text(path).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)];
    for (const [link, file = '', anchor] of links) {
      const target = file === '' ? path : join(dirname(path), file);
      expect(existsSync(join(ROOT, target)), link).toBe(true);
      if (anchor !== undefined) expect(anchorsOf(text(target)), link).toContain(anchor);
    }
  });

  it.each(PAGES)('%s names only scripts that there are', (path) => {
    for (const [, name = ''] of text(path).matchAll(/npm run ([\w:-]+)/g))
      expect(scripts).toHaveProperty(name);
  });

  it('is a README of at most 130 lines', () => {
    expect(text('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(130);
  });
});

describe('the CI workflow', () => {
  const { permissions, jobs } = workflow.parse(parse(text('.github/workflows/ci.yml')));
  const steps = Object.values(jobs).flatMap((job) => job.steps);

  it('does nothing but call .ci/run, and may only read', () => {
    expect(steps.flatMap(({ run }) => run ?? [])).toEqual(['.ci/run']);
    expect(permissions).toEqual({ contents: 'read' });
  });
});

describe('workflows', () => {
  const folder = '.github/workflows';
  const files = readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}`);

  it.each(files)(
    '%s takes each action by its commit, since a tag can be moved, and names the version',
    (file) => {
      const lines = text(file)
        .split('\n')
        .filter((line) => /^\s*(?:- )?uses:/.test(line));
      expect(lines.length).toBeGreaterThan(0);
      for (const line of lines) expect(line).toMatch(/uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    },
  );
});

it('issue forms are YAML with a name, a description and a body', () => {
  const folder = '.github/ISSUE_TEMPLATE';
  const forms = readdirSync(join(ROOT, folder)).filter((name) => name !== 'config.yml');
  expect(forms.toSorted()).toEqual(['bug.yml', 'feature.yml', 'provider.yml']);
  for (const form of forms)
    expect(() => formSchema.parse(parse(text(`${folder}/${form}`))), form).not.toThrow();
});

it('what is marked as generated is there', () => {
  const marked = [...text('.gitattributes').matchAll(/^(\S+) linguist-generated$/gm)].map(([, path]) => path);
  expect(marked.length).toBeGreaterThan(3);
  for (const path of marked) expect(existsSync(join(ROOT, path ?? '')), path).toBe(true);
});
