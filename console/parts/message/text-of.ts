import { paramsOf } from '../../../src/gateway/kinds.ts';
import { parseChatText, plainChatText } from '../../../shared/phone/chat-text.ts';
import type { Message } from '../../api/types.ts';

/** The parameters in the order of what they say of a message: words, then addresses. */
const namesOf = (kind: Message['kind']): readonly string[] =>
  paramsOf(kind)
    .toSorted(([, a], [, b]) => Number(a.holds === 'url') - Number(b.holds === 'url'))
    .map(([name]) => name);

/** The part of it that a row needs, in UTF-16 units. */
const SHOWN = 200;

/** The beginning of what a message says, on one line and without marks. */
export function textOf({ kind, params }: Pick<Message, 'kind' | 'params'>): string {
  const found =
    namesOf(kind)
      .map((name) => params[name] ?? '')
      .find((text) => text.trim() !== '') ?? '';
  // A long text is cut first: only its beginning is looked at.
  return plainChatText(parseChatText(found.slice(0, 4 * SHOWN))).slice(0, SHOWN);
}
