import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { UNREACHED } from '../../scripts/unreached.ts';
import { knownFilters, liquid } from '../../src/template/engine.ts';
import { render } from '../template/helpers.ts';

const ROOT = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'hookbell-unreached-test-'));

afterAll(() => rmSync(folder, { recursive: true }));

function bundle(entry: string, name: string): string {
  const file = join(folder, name);
  const { status, stderr } = spawnSync(process.execPath, ['scripts/bundle.ts', entry, file], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return file;
}

const TEXTS = ['', 'Ada <b>Lovelace</b> & co', ' a,b a ', '%2B49 151', '2026-11-22T08:00:00+02:00', 'aGk='];
const LISTS = [[], [3, 1, 2, 1], ['b', 'A', null], [{ n: 2, t: 'b' }, { n: 1, t: 'a' }, { t: 'c' }]];
const VALUES: readonly unknown[] = [
  ...TEXTS,
  ...LISTS,
  0,
  -2.567,
  1_763_798_400,
  true,
  { n: 1, t: { u: 1 } },
];

const ARGUMENTS = ['', ': "n"', ': 2', ': "a", "b"', ': "t", "a"', ': 1, 2', ': "x", "x.n == 1"'];

/** Each tag, and what is around it: branches, options, blanks. */
const TAGS: Readonly<Record<string, string>> = {
  assign: '{% assign a = payload.l | join: "-" %}{{ a }}',
  for: '{% for x in payload.l limit: 2 offset: 1 reversed %}{{ forloop.index }}/{{ forloop.length }}{{ x }}{% endfor %}{% for x in (1..3) %}{{ x }}{% endfor %}{% for x in payload.none %}{% else %}none{% endfor %}',
  capture: '{% capture c %}{{ payload.n }}!{% endcapture %}{{ c }}{{ c.size }}',
  case: '{% case payload.n %}{% when 1 or 3 %}odd{% when 2, 4 %}even{% else %}none{% endcase %}',
  comment: 'a{% comment %}{{ b }}{% endcomment %}c',
  decrement: '{% decrement d %}{% decrement d %}',
  increment: '{% increment i %}{% increment i %}',
  cycle: '{% for x in payload.l %}{% cycle "a", "b" %}{% cycle "g": "c", "d", "e" %}{% endfor %}',
  if: '{% if payload.n > 1 and payload.s contains "d" %}y{% elsif payload.n == blank %}b{% else %}n{% endif %}{% if payload.none == nil or payload.l == empty %}z{% endif %}',
  raw: '{% raw %}{{ not }} {% this %}{% endraw %}',
  unless: '{% unless payload.n == 2 %}no{% elsif payload.s %}s{% else %}e{% endunless %}',
  break: '{% for x in payload.l %}{% if x == 1 %}{% break %}{% endif %}{{ x }}{% endfor %}',
  continue: '{% for x in payload.l %}{% if x == 1 %}{% continue %}{% endif %}{{ x }}{% endfor %}',
  echo: '{% echo payload.s | upcase %}',
  liquid: '{% liquid\n assign a = 1\n if a == 1\n echo "one"\n endif %}',
  '#': 'a {%- # a remark -%} b',
};

const EXPRESSIONS = ['where', 'reject', 'group_by', 'has', 'find', 'find_index'];
const FILES = ['{% include "a" %}', '{% render "a" %}', '{% layout "a" %}', '{% block a %}{% endblock %}'];
const TABLES = ['{% tablerow x in payload.l %}{% endtablerow %}'];
const OMITTED = ['{{ "a" | sha256 }}', '{{ "a" | hmac_sha256: "b" }}', '{{ payload.l | sample }}'];
const BROKEN = ['{% if payload.n %}', '{{ payload.', '{% for x in %}{% endfor %}', '{{ "a', '{% endif %}'];
const REFUSED = [
  ...EXPRESSIONS.map((name) => `{{ payload.l | ${name}_exp: "x", "x > 1" }}`),
  ...FILES,
  ...TABLES,
  ...OMITTED,
  ...BROKEN,
];

const PAYLOAD = { l: [3, 1, 2, 1], n: 2, s: 'Ada' };

describe('templates that are rendered by the bundle', () => {
  let bundled: typeof render;

  beforeAll(async () => {
    const entry = join(folder, 'render.ts');
    writeFileSync(
      entry,
      `export { render } from ${JSON.stringify(join(ROOT, 'test/template/helpers.ts'))};\n`,
    );
    const loaded: unknown = await import(pathToFileURL(bundle(entry, 'render.js')).href);
    bundled = z
      .object({ render: z.custom<typeof render>((value) => typeof value === 'function') })
      .parse(loaded).render;
  });

  it.each([...knownFilters.keys()])('%s is the filter that it is in the source', (name) => {
    for (const value of VALUES)
      for (const args of ARGUMENTS) {
        const template = `{{ payload.v | ${name}${args} | json }}`;
        const answer = { template, value, text: render(template, { v: value }) };
        expect({ template, value, text: bundled(template, { v: value }) }).toEqual(answer);
      }
  });

  it.each(Object.keys(liquid.tags))('{%% %s %%} is the tag that it is in the source', (name) => {
    const template = TAGS[name] ?? '';
    expect(template).toContain(name);
    expect(bundled(template, PAYLOAD)).toBe(render(template, PAYLOAD));
    expect(bundled(template, PAYLOAD)).not.toMatch(/^!/);
  });

  it.each(REFUSED)('%s is refused as it is by the source', (template) => {
    expect(bundled(template, PAYLOAD)).toMatch(/^! /);
    expect(bundled(template, PAYLOAD)).toBe(render(template, PAYLOAD));
  });
});

describe('what no request reaches', () => {
  it('is not in the Worker', () => {
    const code = readFileSync(bundle('src/index.ts', 'worker.js'), 'utf8');
    // Of each library a text that only what is left out has.
    for (const text of ['XMLHttpRequest', 'Failed to lookup', 'tel:+', 'applicationHandler'])
      expect(code).not.toContain(text);
    expect(code).not.toMatch(/renderFileSync|formatInternational|parseBody\(|isRootNode|setLayout/);
  });

  it('was looked up in the libraries as they are installed', () => {
    const manifest = z.object({ dependencies: z.record(z.string(), z.string()) });
    const { dependencies } = manifest.parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')));
    for (const { library, version } of UNREACHED)
      expect({ library, version: dependencies[library] }).toEqual({ library, version });
  });
});
