import { parseChatText, plainChatText } from '../../../shared/phone/chat-text.ts';
import { paramsOf } from '../../../src/gateway/kinds.ts';
import type { Message } from '../../api/types.ts';
import { phoneText } from '../../lib/format.ts';
import { whyText } from '../../parts/message/waits.ts';
import { t } from '../../texts/texts.ts';
import { State, Time } from '../../ui/basics.tsx';
import { Coded } from '../../ui/said.tsx';

const BAD: ReadonlySet<string> = new Set(['dead', 'expired']);

interface MessageRowProps {
  readonly message: Message;
  /** Ms. */
  readonly now: number;
  /** True if this person sees what it says. */
  readonly hasText: boolean;
}

export const MessageHeads = () => (
  <div class="messages-row">
    <span>{t.events.state}</span>
    <span>{t.messages.phone}</span>
    <span>{t.messages.text}</span>
    <span>{t.events.source}</span>
    <span class="messages-row-time">{t.messages.time}</span>
  </div>
);

/** A message in the list: columns, or on a phone two lines. */
export const MessageRow = ({ message, now, hasText }: MessageRowProps) => {
  const { state, phone, source, route, sent_at, created_at } = message;
  const why = whyText(message, now);
  return (
    <div class="messages-row">
      <span class="messages-row-state">
        <State of={state} />
      </span>
      <span class="messages-row-to cut">{phone === null ? t.messages.status : phoneText(phone)}</span>
      <span class="messages-row-says">
        <span class={hasText ? 'cut' : 'cut soft'} dir="auto">
          {hasText ? textOf(message) : t.kinds[message.kind]}
        </span>
        {why !== '' && (
          <span class={BAD.has(state) ? 'messages-row-why cut bad-text' : 'messages-row-why cut'} title={why}>
            <Coded text={why} />
          </span>
        )}
      </span>
      <span class="messages-row-from cut">
        {source === null ? t.messages.byHand : route === null ? source : `${source} › ${route}`}
      </span>
      <span class="messages-row-time">
        <Time at={sent_at ?? created_at} />
      </span>
    </div>
  );
};

/** The parameters in the order of what they say of a message: words, then addresses. */
const namesOf = (kind: Message['kind']): readonly string[] =>
  paramsOf(kind)
    .toSorted(([, a], [, b]) => Number(a.holds === 'url') - Number(b.holds === 'url'))
    .map(([name]) => name);

/** The part of it that a row needs, in UTF-16 units. */
const SHOWN = 200;

/** The beginning of what a message says, on one line and without marks. */
function textOf({ kind, params }: Pick<Message, 'kind' | 'params'>): string {
  const found =
    namesOf(kind)
      .map((name) => params[name] ?? '')
      .find((text) => text.trim() !== '') ?? '';
  // A long text is cut first: only its beginning is looked at.
  return plainChatText(parseChatText(found.slice(0, 4 * SHOWN))).slice(0, SHOWN);
}
