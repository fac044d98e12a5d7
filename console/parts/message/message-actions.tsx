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
  // Nothing that messages people is one tap.
  const retry = (): void => setAsks('retry');
  const cancel = (): void => setAsks('cancel');
  const isAllowed = useMay('operator') && hasKeys;
  useKeys([
    ...(isAllowed && isRetryable(message.state) ? [{ key: 'r', label: t.messages.retry, run: retry }] : []),
    ...(isAllowed && isCancellable(message.state)
      ? [{ key: 'c', label: t.messages.keyCancel, run: cancel }]
      : []),
  ]);
  const who = message.phone === null ? t.send.everybody : phoneText(message.phone);
  const close = (): void => setAsks(null);
  return (
    <For role="operator">
      {isRetryable(message.state) && (
        <Button icon="retry" onClick={retry}>
          {t.messages.retry}
        </Button>
      )}
      {isCancellable(message.state) && (
        <Button icon="close" onClick={cancel}>
          {t.messages.cancel}
        </Button>
      )}
      {asks === 'cancel' && (
        <Confirm
          title={t.messages.cancelTitle}
          action={t.messages.cancel}
          isDangerous
          refusal={t.messages.keep}
          onConfirm={() => does('cancel')}
          onClose={close}
        >
          <p>{t.messages.cancelWarn(who)}</p>
        </Confirm>
      )}
      {asks === 'retry' && (
        <Confirm
          title={t.messages.retryTitle}
          action={t.messages.retry}
          isDangerous={message.state === 'uncertain'}
          onConfirm={() => does('retry')}
          onClose={close}
        >
          <p>{message.state === 'uncertain' ? t.messages.retryUncertain(who) : t.messages.retryText(who)}</p>
        </Confirm>
      )}
    </For>
  );
}
