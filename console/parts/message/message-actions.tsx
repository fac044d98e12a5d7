import { isCancellable, isRetryable } from '../../../src/outbox/state/states.ts';
import { useState } from 'preact/hooks';
import { post } from '../../api/client.ts';
import type { Message } from '../../api/types.ts';
import { phoneText } from '../../lib/format.ts';
import { useKeys } from '../../lib/keys.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../../ui/basics.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { For, useMay } from '../../ui/session.tsx';
import { toast } from '../../ui/toast.tsx';

interface ActionsProps {
  readonly message: Message;
  readonly onDone: (message: Message) => void;
  /** True on the page of one message, where the keys `r` and `c` do the same. */
  readonly hasKeys?: boolean;
}

/** Retry and cancel of one message: buttons for what its state allows. */
export function MessageActions({ message, onDone, hasKeys = false }: ActionsProps) {
  const [asks, setAsks] = useState<'retry' | 'cancel' | null>(null);
  const does = async (what: 'retry' | 'cancel'): Promise<void> => {
    onDone(await post<Message>(`/messages/${message.id}/${what}`));
    toast(what === 'retry' ? t.messages.retried : t.messages.cancelled);
  };
  const { state, phone } = message;
  const who = phone === null ? t.send.everybody : phoneText(phone);
  // Nothing that messages people is one tap.
  const actions = [
    ...(isRetryable(state)
      ? [{ is: 'retry', icon: 'retry', key: 'r', label: t.messages.retry, press: t.messages.retry } as const]
      : []),
    ...(isCancellable(state)
      ? [
          {
            is: 'cancel',
            icon: 'close',
            key: 'c',
            label: t.messages.cancel,
            press: t.messages.keyCancel,
          } as const,
        ]
      : []),
  ];
  const isAllowed = useMay('operator') && hasKeys;
  useKeys(
    actions.flatMap(({ is, key, press }) =>
      isAllowed ? [{ key, label: press, run: () => setAsks(is) }] : [],
    ),
  );
  return (
    <For role="operator">
      {actions.map(({ is, icon, label }) => (
        <Button key={is} icon={icon} onClick={() => setAsks(is)}>
          {label}
        </Button>
      ))}
      {asks !== null && (
        <Confirm
          title={asks === 'retry' ? t.messages.retryTitle : t.messages.cancelTitle}
          action={t.messages[asks]}
          isDangerous={asks === 'cancel' || state === 'uncertain'}
          {...(asks === 'cancel' && { refusal: t.messages.keep })}
          onConfirm={() => does(asks)}
          onClose={() => setAsks(null)}
        >
          <p>
            {asks === 'cancel'
              ? t.messages.cancelWarn(who)
              : state === 'uncertain'
                ? t.messages.retryUncertain(who)
                : t.messages.retryText(who)}
          </p>
        </Confirm>
      )}
    </For>
  );
}
