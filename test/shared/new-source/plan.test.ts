import { describe, expect, it } from 'vitest';
import { isOpenTo } from '../../../shared/new-source/plan.ts';
import { readStarter } from '../../../cli/init/starters.ts';
import { withExamples } from '../../../src/config/starter-texts.ts';
import { isOpen } from '../../../src/config/source-limit.ts';
import { providers } from '../../../src/provider/catalog/catalog.ts';
import { verifySchema } from '../../../src/signature/scheme.ts';

describe.each([...providers.values()])('a source of $id', ({ id, verify }) => {
  it('is as open before it is checked as the relay says it is', () => {
    const written = withExamples(readStarter(id)).source?.['verify'];
    const parsed = written === undefined ? verify : verifySchema.parse(written);
    expect(isOpenTo(written ?? verify)).toBe(parsed !== null && isOpen(parsed));
  });
});

describe('whoever knows the address', () => {
  it.each([
    [{ scheme: 'none' }, true],
    [{ scheme: 'token', in: 'path' }, true],
    [{ scheme: 'token', in: 'query', name: 'key' }, true],
    [{ scheme: 'token', in: 'header', name: 'X-Token' }, false],
    [
      {
        scheme: 'any',
        of: [
          { scheme: 'hmac', header: 'X-S' },
          { scheme: 'token', in: 'path' },
        ],
      },
      true,
    ],
    [null, false],
    ['none', false],
  ])('may post to %j: %s', (verify, open) => {
    expect(isOpenTo(verify)).toBe(open);
  });
});
