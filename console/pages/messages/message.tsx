import { get } from '../../api/client.ts';
import type { Message } from '../../api/types.ts';
import { phoneText } from '../../lib/format.ts';
import { useKeys } from '../../lib/keys.ts';
import { useLive } from '../../lib/live.ts';
import { useLoad } from '../../lib/load.ts';
import { addressOf, goBack } from '../../lib/router.ts';
import { useSoon } from '../../lib/soon.ts';
import { Attempts } from '../../parts/message/attempts.tsx';
import { MessageActions } from '../../parts/message/message-actions.tsx';
import { whyText } from '../../parts/message/waits.ts';
import { byWhom } from '../../texts/said.ts';
import { t } from '../../texts/texts.ts';
import { Empty, Loading, PageHead, Panel, State, Time, Trouble, useNow } from '../../ui/basics.tsx';
import { Coded } from '../../ui/said.tsx';
import { Bubble } from '../../ui/bubble.tsx';
import { useSession } from '../../ui/session.tsx';
import { MessageFacts } from './message-facts.tsx';

/** One message: what the phone shows, how it got there or why not, and what can be done. */
export function MessagePage({ id = '' }: { readonly id?: string }) {
  const {
    value: message,
    error,
    status,
    again,
  } = useLoad(id, (signal) => get<Message>(`/messages/${encodeURIComponent(id)}`, {}, signal));
  const session = useSession();
  const soon = useSoon(again);
  useLive(message !== null, (frame) => {
    if (frame === null || (frame.type === 'message' && frame.message === id)) soon();
  });
  useKeys([{ key: 'u', label: t.events.keyBack, run: () => goBack('/messages') }]);
  const to = message?.phone ?? null;
  return (
    <>
      <PageHead
        title={message === null ? t.messages.one : to === null ? t.messages.status : phoneText(to)}
        back={addressOf('/messages')}
      >
        {message !== null && (
          <div class="act-bar">
            <MessageActions message={message} onDone={again} hasKeys />
          </div>
        )}
      </PageHead>
      {status === 404 && <Empty title={t.messages.gone}>{t.events.goneText}</Empty>}
      {error !== null && status !== 404 && <Trouble error={error} again={again} />}
      {message === null && error === null && <Loading />}
      {message !== null && (
        <div class="messages-columns">
          <div>
            <div class="messages-phone">
              <StateAndWhy message={message} />
              <Bubble kind={message.kind} params={session.sees_payloads ? message.params : null} />
            </div>
            <Panel title={t.messages.attempts}>
              <Attempts attempts={message.attempts} />
            </Panel>
            <Actions message={message} />
          </div>
          <div>
            <MessageFacts message={message} />
            {session.sees_payloads && <Params params={message.params} />}
          </div>
        </div>
      )}
    </>
  );
}

function StateAndWhy({ message }: { message: Message }) {
  const now = useNow(message.waits === undefined ? null : 5_000);
  const why = whyText(message, now);
  return (
    <div class="messages-state">
      <State of={message.state} />
      {why !== '' && (
        <p class="messages-why">
          <Coded text={why} />
        </p>
      )}
      {message.state === 'suppressed' && (
        <a href={addressOf('/recipients/opted-out', { phone: message.phone ?? '' })}>{t.optedOut.title}</a>
      )}
    </div>
  );
}

/** The actions of people. */
const Actions = ({ message: { actions = [] } }: { message: Message }) =>
  actions.length === 0 ? null : (
    <Panel title={t.messages.actions}>
      <ul class="messages-actions">
        {actions.map(({ action, by, at }) => (
          <li key={`${action} ${at}`}>
            <span>{(action === 'retry' ? t.messages.retriedBy : t.messages.cancelledBy)(byWhom(by))}</span>
            <span class="soft">
              <Time at={at} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );

/** The form fields of the call, exactly. */
const Params = ({ params }: { params: Message['params'] }) => (
  <Panel title={t.messages.params}>
    <dl class="messages-params">
      {Object.entries(params).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd dir="auto" tabIndex={value.length > 400 ? 0 : undefined}>
            {value}
          </dd>
        </div>
      ))}
    </dl>
  </Panel>
);
