import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import icons from 'simple-icons/icons.json' with { type: 'json' };
import { providers } from '../src/provider/catalog/catalog.ts';

const ROOT = dirname(import.meta.dirname);

/** The file that the console reads when it first shows a sender. It is in git: a change of the library is then seen. */
export const MARKS_FILE = join(ROOT, 'assets/marks.json');

/** Senders whose mark has another name in the library than they have here. One without a mark has a letter. */
const NAMES: Readonly<Record<string, string>> = {
  'adyen-payments': 'adyen',
  'adyen-platform': 'adyen',
  alertmanager: 'prometheus',
  'better-stack': 'betterstack',
  calcom: 'caldotcom',
  'cloudflare-notifications': 'cloudflare',
  'coinbase-commerce': 'coinbase',
  'discord-interactions': 'discord',
  'discord-webhook-events': 'discord',
  'gitlab-signing-token': 'gitlab',
  'google-forms-apps-script': 'googleforms',
  'google-pubsub': 'googlepubsub',
  'hubspot-v1': 'hubspot',
  'hubspot-v3': 'hubspot',
  'ko-fi': 'kofi',
  'meta-lead-ads': 'meta',
  'meta-whatsapp': 'whatsapp',
  'new-relic': 'newrelic',
  'supabase-auth-hooks': 'supabase',
  'supabase-db-webhooks': 'supabase',
  'uptime-kuma': 'uptimekuma',
};

/** Drawings with a licence of their own ask for more than the library does: those senders have a letter. */
const COLOURS = new Map(icons.filter((icon) => !('license' in icon)).map(({ slug, hex }) => [slug, hex]));

/** The text of that file: a `Marks` of `console/api/marks.ts`. */
export const marksText = (): string =>
  `{\n${[...providers.keys()].toSorted().flatMap(markOf).join(',\n')}\n}\n`;

/** The line of a sender; none if the library does not have its mark. */
function markOf(id: string): readonly string[] {
  const name = NAMES[id] ?? id;
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

/** `npm run marks`: run it when a sender is added, or the library changes. */
if (process.argv[1] === import.meta.filename) writeFileSync(MARKS_FILE, marksText());
