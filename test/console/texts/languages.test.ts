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

/** True if a text is the console's own, and no translation of what the relay says. */
const isOwn = (path: string): boolean =>
  !/^(rejections\.remedies|sources\.(gatewayWords|providerNames))\./.test(path);

test('German says all that English says', () => {
  // The relay's own words are English, so German has texts for more of them.
  const [german, english] = [shape(de), shape(en)];
  expect(german.filter(isOwn)).toEqual(english.filter(isOwn));
  expect(english.filter((path) => !german.includes(path))).toEqual([]);
});

test('no text is empty', () => {
  const texts = (part: object): readonly unknown[] =>
    Object.values(part).flatMap((one: unknown) =>
      typeof one === 'object' && one !== null ? texts(one) : [one],
    );
  for (const text of [...texts(en), ...texts(de)]) expect(text).not.toBe('');
});
