import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import icons from 'simple-icons/icons.json' with { type: 'json' };
import { shippedProviders } from './provider-files.ts';

const ROOT = dirname(import.meta.dirname);

/** Drawings with a licence of their own ask for more than the library does: those senders have a letter. */
const COLOURS = new Map(icons.filter((icon) => !('license' in icon)).map(({ slug, hex }) => [slug, hex]));

/** The text of `assets/marks.json`: a `Marks` of `console/parts/mark.tsx`. */
export const marksText = (): string =>
  `{\n${[...shippedProviders()].flatMap(([id, { starter }]) => markOf(id, starter.mark ?? id)).join(',\n')}\n}\n`;

/** The line of a sender; none if the library does not have its mark. */
function markOf(id: string, name: string): readonly string[] {
  const colour = COLOURS.get(name);
  if (colour === undefined) return [];
  const drawing = readFileSync(join(ROOT, `node_modules/simple-icons/icons/${name}.svg`), 'utf8');
  const [, path] = / d="([^"]+)"/.exec(drawing) ?? [];
  return path === undefined
    ? []
    : [`${JSON.stringify(id)}: ${JSON.stringify([`#${colour}`, inkOn(colour), path])}`];
}

/** White, or black on a colour too light for white. */
function inkOn(colour: string): string {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map(
    (at) => (Number.parseInt(colour.slice(at, at + 2), 16) / 255) ** 2.2,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.4 ? '#000' : '#fff';
}
