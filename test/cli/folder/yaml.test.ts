import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { readText } from '../../../cli/folder/yaml.ts';
import { writeYaml } from '../../../shared/yaml-patch/rewrite.ts';

const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.string(),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(fc.stringMatching(/^[a-z_]{1,8}$/), tie('any'), { maxKeys: 4 }),
  ),
})).any;
const document = fc.dictionary(fc.stringMatching(/^[a-z_]{1,8}$/), value);

it('YAML that is written is read as it was', () => {
  fc.assert(
    fc.property(document, (one) => {
      expect(parse(writeYaml(one))).toEqual(one);
      const read = readText(writeYaml(one), false);
      expect(read.ok && read.value.value).toEqual(one);
    }),
  );
});

it('YAML that unfolds without end is refused, with a place', () => {
  const bomb = ['a: &a [x, x, x, x, x, x, x, x, x, x]'];
  for (const [one, next] of ['ab', 'bc', 'cd', 'de', 'ef'])
    bomb.push(`${next}: &${next} [${Array.from({ length: 8 }, () => `*${one}`).join(', ')}]`);
  expect(readText(bomb.join('\n'), false)).toMatchObject({ ok: false, error: { line: 1 } });
});
