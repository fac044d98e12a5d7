import fc from 'fast-check';
import { parseDocument, stringify } from 'yaml';
import { patchOf } from '../../../shared/yaml-patch/patch.ts';

export const SHOP = { kind: 'sources', name: 'shop' } as const;
export const SHOP_TEXT = '# Ask Zoë\nverify: { scheme: none }\nroutes: [] # none yet\n';

export function madePatch(...given: Parameters<typeof patchOf>): string {
  const patch = patchOf(...given);
  if (!patch.ok) throw new Error(patch.error);
  return patch.value;
}

const key = fc.stringMatching(/^[a-z_]{1,8}$/);

const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.string(),
    fc.constantFrom(
      'Hi {{ payload.name }}',
      'one\ntwo',
      'one\n\n  two\nthree\n',
      '# no comment',
      'null',
      '0x10',
      ' x ',
    ),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.array(fc.record({ name: fc.constantFrom('a', 'b', 'c', 'd'), to: fc.constantFrom('x', 'y') }), {
      maxLength: 4,
    }),
    fc.dictionary(key, tie('any'), { maxKeys: 4 }),
  ),
})).any;

/** Documents of any shape, as JSON has them. */
export const documents = fc.dictionary(key, value, { maxKeys: 6 });

/** The ways in which a person may write YAML, in the library's options. */
const styles = fc.record({
  indent: fc.constantFrom(2, 3, 4),
  indentSeq: fc.boolean(),
  flowCollectionPadding: fc.boolean(),
  singleQuote: fc.boolean(),
  collectionStyle: fc.constantFrom('any', 'flow', 'block'),
  lineWidth: fc.constantFrom(0, 40),
});

/** YAML files of documents of any shape. */
export const files = fc
  .tuple(documents, styles)
  .map(([one, style]) => stringify(one, { ...style, aliasDuplicateObjects: false }))
  // The library itself writes a few texts that it reads as another value.
  .filter((text) => parseDocument(text).errors.length === 0);
