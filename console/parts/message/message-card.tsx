import type { Message } from '../../api/types.ts';
import { phoneText } from '../../lib/format.ts';
import { addressOf } from '../../lib/router.ts';
import { t } from '../../texts/texts.ts';
import { State, Time, useNow } from '../../ui/basics.tsx';
import { Coded } from '../../ui/said.tsx';
import { Bubble } from '../../ui/bubble.tsx';
import { useSession } from '../../ui/session.tsx';
import { Attempts } from './attempts.tsx';
import { MessageActions } from './message-actions.tsx';
import { whyText } from './waits.ts';

/** A message below its event: as the phone shows it, with all that was tried. */
export function MessageCard({ message, onDone }: { message: Message; onDone: (message: Message) => void }) {
  const session = useSession();
  const now = useNow(message.waits === undefined ? null : 5_000);
  // The last attempt below says it; nothing is said twice.
  const isSaid = message.waits === undefined && message.reason === message.attempts.at(-1)?.detail;
  const why = isSaid ? '' : whyText(message, now);
  return (
    <article class="message-card" aria-label={`${t.messages.one} ${message.id}`}>
      <header class="message-head">
        <State of={message.state} />
        <a href={addressOf(`/messages/${message.id}`)} class="message-to">
          {message.phone === null ? t.messages.status : phoneText(message.phone)}
        </a>
        <span class="message-time">
          <Time at={message.sent_at ?? message.created_at} />
        </span>
      </header>
      {why !== '' && (
        <p class="message-why">
          <Coded text={why} />
        </p>
      )}
      <Bubble kind={message.kind} params={session.sees_payloads ? message.params : null} />
      <Attempts attempts={message.attempts} />
      <div class="message-actions">
        <MessageActions message={message} onDone={onDone} />
      </div>
    </article>
  );
}
