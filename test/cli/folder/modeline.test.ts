import { posix, win32 } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pathFrom } from '../../../cli/folder/modeline.ts';

describe('the path from a document to its schema', () => {
  it('has slashes, also where it is made on Windows', () => {
    expect(
      pathFrom(
        'C:\\relays\\my-relay\\hookbell\\sources\\shop.yaml',
        'C:\\relays\\my-relay\\node_modules\\hookbell\\assets\\schemas\\source.json',
        win32,
      ),
    ).toBe('../../node_modules/hookbell/assets/schemas/source.json');
    expect(pathFrom('/a/hookbell/sources/shop.yaml', '/a/node_modules/hookbell/s.json', posix)).toBe(
      '../../node_modules/hookbell/s.json',
    );
  });
});
