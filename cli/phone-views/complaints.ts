import { privateIn } from './private.ts';
import type { PhoneMessage, SampleView } from './phone-view.ts';

/** More than a chat shows at a glance. UTF-16 units; messages about several items may have more. */
const MAX_CHARACTERS = 700;

/** The leftovers of a template with a mistake. */
const LEFTOVER =
  /\{\{|\{%|\[\[|\[object|undefined|\bnull\b|NaN|\*\*|\*\s*\*|\(\)|\n\n\n|^\s|\s$| {2}|[:,] *$/m;

/** Returns the problems of a sample's messages; empty: none. */
export function complaintsAbout({ silent, messages, failures }: SampleView): readonly string[] {
  return [
    ...failures,
    ...(silent !== null && messages.length > 0 ? ['has `silent`, but makes a message'] : []),
    ...(silent === null && messages.length === 0 ? ['makes no message, and `silent` does not say why'] : []),
    ...messages.flatMap((message) => aboutText(message).map((what) => `${message.route}: ${what}`)),
  ];
}

function aboutText({ text, isFromWebhook }: PhoneMessage): readonly string[] {
  const [leftover] = LEFTOVER.exec(text) ?? [];
  return [
    ...(leftover === undefined ? [] : [`has ${JSON.stringify(leftover)}, which a template left behind`]),
    ...(text.length > MAX_CHARACTERS ? [`is longer than ${MAX_CHARACTERS} characters`] : []),
    ...([...text.matchAll(/\p{Extended_Pictographic}/gu)].length > 1 ? ['has more than one emoji'] : []),
    // A customer may get the link that is meant for this customer.
    ...privateIn(text)
      .filter((what) => !isFromWebhook || !what.startsWith('a link'))
      .map((what) => `shows ${what}`),
  ];
}
