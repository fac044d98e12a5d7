import type { Message } from '../../api/types.ts';
import { phoneText } from '../../lib/format.ts';
import { textOf } from '../../parts/message/text-of.ts';
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
