import { describe, expect, it } from 'vitest';
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

describe('the headers of a static asset', () => {
  it.each([
    [
      '/console/index.html',
      [
        ['X-One', 'a: b'],
        ['X-Two', 'c'],
      ],
    ],
    [
      '/console/assets/a.js',
      [
        ['X-One', 'a: b'],
        ['X-Two', 'c'],
        ['Cache-Control', 'immutable'],
      ],
    ],
    ['/exact', [['X-Three', 'd']]],
    ['/exact/not', []],
  ])('%s are those of all rules for its path', (path, headers) => {
    expect(headersFor(path, TEXT)).toEqual(headers);
  });
});
