import { expect, it } from 'vitest';
import { compileConfig } from '../../src/config/compile/compile.ts';
import { fences, pageOf } from './pages.ts';
import { setOf } from './set-of.ts';

const blocks = (language: string, pages: string) =>
  pages
    .split(' ')
    .flatMap((page) =>
      fences(pageOf(`${page}.md`), language).map(({ line, code }) => ({ at: `${page}, line ${line}`, code })),
    );

it('the documents in the docs are right', () => {
  const pages = 'sources configuration receiving own-gateway templates partials api providers alerts answers';
  for (const { at, code } of blocks('yaml', pages))
    expect(compileConfig(setOf(code), 1).errors, at).toEqual([]);
});

it('the JSON in the docs is JSON, or a line of JSON after another', () => {
  for (const { at, code } of blocks('json', 'configuration templates api answers')) {
    const pieces = /^[{[].*[}\]]\n./.test(code) ? code.trim().split('\n') : [code];
    for (const piece of pieces) expect(() => JSON.parse(piece) as unknown, at).not.toThrow();
  }
});
