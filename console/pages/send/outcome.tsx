import { isFinal } from '../../../src/outbox/state/states.ts';
import { useEffect, useState } from 'preact/hooks';
import { get } from '../../api/client.ts';
import type { Message } from '../../api/types.ts';
import { phoneText } from '../../lib/format.ts';
import { useLive } from '../../lib/live.ts';
import { useLoad } from '../../lib/load.ts';
import { addressOf } from '../../lib/router.ts';
import { said, stateReason } from '../../texts/said.ts';
import { t } from '../../texts/texts.ts';
import { State, Time } from '../../ui/basics.tsx';
import { Coded } from '../../ui/said.tsx';

/** The tail may be lost for a while. */
const LOOK_EVERY_MS = 5_000;

/** The states of a message until its last one. */
export function Outcome({ first }: { first: Message }) {
  const { id } = first;
  const [isDone, setDone] = useState(isFinal(first.state));
  const now = useLoad(
    id,
    (signal) => get<Message>(`/messages/${id}`, {}, signal),
    isDone ? undefined : LOOK_EVERY_MS,
  );
  const message = now.value ?? first;
  useEffect(() => setDone(isFinal(message.state)), [message.state]);
  useLive(!isDone, (frame) => {
    if (frame === null || (frame.type === 'message' && frame.message === id)) now.again();
  });
  const why = stateReason(message) || said(message.waits?.detail ?? '');
  return (
    <li class="send-outcome">
      <p class="send-outcome-line" role="status">
        <State of={message.state} />
        <a href={addressOf(`/messages/${id}`)}>
          {message.phone === null ? t.send.everybody : phoneText(message.phone)}
        </a>
        <span class="send-when soft">
          <Time at={message.sent_at ?? message.created_at} />
        </span>
      </p>
      {why !== '' && message.state !== 'sent' && (
        <p class="soft">
          <Coded text={why} />
        </p>
      )}
      {now.error !== null && <p class="help error">{now.error}</p>}
    </li>
  );
}
