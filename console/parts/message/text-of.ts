import type { Message } from '../../api/types.ts';

/** The field that says most of a message, by its kind. */
const SAYS: Readonly<Record<Message['kind'], readonly string[]>> = {
  text: ['message'],
  image: ['caption', 'image_url'],
  voice: ['audio_url'],
  'link-preview': ['text', 'title', 'url'],
  poll: ['question'],
  status: ['text'],
};

/** How much of it a row needs. UTF-16 units. */
const SHOWN = 200;

/** The beginning of what a message says, on one line. */
export function textOf({ kind, params }: Pick<Message, 'kind' | 'params'>): string {
  const found = SAYS[kind].map((name) => params[name] ?? '').find((text) => text.trim() !== '') ?? '';
  // A long text is cut first: only its beginning is looked at.
  return found
    .slice(0, 4 * SHOWN)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, SHOWN);
}
