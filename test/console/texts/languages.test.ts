import { expect, test } from 'vitest';
import { de } from '../../../console/texts/de.ts';
import { en } from '../../../console/texts/en.ts';

/** The paths of all texts, with what is there: a text, or how many values it takes. */
function shape(texts: object, path = ''): readonly string[] {
  return Object.entries(texts).flatMap(([name, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null
      ? shape(value, `${path}${name}.`)
      : [`${path}${name}: ${typeof value}`],
  );
}

test('German says all that English says', () => {
  // The relay answers remedies in English, so only the other languages have texts for them.
  const german = shape(de).filter(
    (path) => !/^(rejections\.remedies|sources\.(gatewayWords|providerNames))\./.test(path),
  );
  expect(german).toEqual(shape(en));
});

test('no text is empty', () => {
  const texts = (part: object): readonly unknown[] =>
    Object.values(part).flatMap((one: unknown) =>
      typeof one === 'object' && one !== null ? texts(one) : [one],
    );
  for (const text of [...texts(en), ...texts(de)]) expect(text).not.toBe('');
});
