import { expect, it } from 'vitest';
import { headersFor } from '../../runtime/asset-headers.ts';

const TEXT = `# comment
/console/*
  X-One: a: b
  X-Two: c

/console/assets/*
  Cache-Control: immutable
/exact
  X-Three: d
`;

it('the headers of a static asset are those of all rules for its path', () => {
  const paths = ['/console/index.html', '/console/assets/a.js', '/exact', '/exact/not'];
  expect(paths.map((path) => headersFor(path, TEXT))).toEqual([
    [
      ['X-One', 'a: b'],
      ['X-Two', 'c'],
    ],
    [
      ['X-One', 'a: b'],
      ['X-Two', 'c'],
      ['Cache-Control', 'immutable'],
    ],
    [['X-Three', 'd']],
    [],
  ]);
});
