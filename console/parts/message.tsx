import { attemptText } from '../../shared/gateway-words.ts';
import { isMessageKind } from '../../src/gateway/kinds.ts';
import { isCancellable, isRetryable } from '../../src/schema/states.ts';
import { post, visibleText } from '../api/client.ts';
import type { Message } from '../api/types.ts';
import { ago, duration, number, phoneText } from '../lib/format.ts';
import { codedText, own, pageLanguage, pausedText, stateReason } from '../texts/relay-texts.ts';
import { t } from '../texts/texts.ts';
import { Badge, Time, type Tone } from '../ui/basics.tsx';
import { AskButton } from '../ui/dialog.tsx';
import { Coded } from '../ui/text.tsx';

interface ActionsProps {
  readonly message: Message;
  readonly onDone: (message: Message) => void;
  /** True on the page of one message, where the keys `r` and `c` do the same. */
  readonly hasKeys?: boolean;
}

export function MessageActions({ message: { id, state, phone }, onDone, hasKeys = false }: ActionsProps) {
  const who = phone === null ? t.send.everybody : phoneText(phone);
  const does = async (what: 'retry' | 'cancel') => onDone(await post<Message>(`/messages/${id}/${what}`));
  // Nothing that messages people is one tap.
  return (
    <>
      <AskButton
        isOffered={isRetryable(state)}
        icon="retry"
        label={t.messages.retry}
        title={t.messages.retryTitle}
        shortcut={hasKeys ? ['r', t.messages.retry] : undefined}
        isDangerous={state === 'uncertain'}
        does={() => does('retry')}
        done={t.messages.retried}
      >
        <p>{(state === 'uncertain' ? t.messages.retryUncertain : t.messages.retryText)(who)}</p>
      </AskButton>
      <AskButton
        isOffered={isCancellable(state)}
        icon="close"
        label={t.messages.cancel}
        title={t.messages.cancelTitle}
        shortcut={hasKeys ? ['c', t.messages.keyCancel] : undefined}
        isDangerous
        refusal={t.messages.keep}
        does={() => does('cancel')}
        done={t.messages.cancelled}
      >
        <p>{t.messages.cancelWarn(who)}</p>
      </AskButton>
    </>
  );
}

type MessageAttempt = Message['attempts'][number];

const TONES: Partial<Readonly<Record<MessageAttempt['outcome'], Tone>>> = {
  sent: 'good',
  uncertain: 'warn',
  busy: 'warn',
};

export const Attempts = ({ attempts }: { attempts: readonly MessageAttempt[] }) =>
  attempts.length === 0 ? (
    <p class="soft">{t.messages.noAttempts}</p>
  ) : (
    <ol class="attempts">
      {attempts.map((attempt) => {
        const { n, at, outcome, http_status, duration_ms } = attempt;
        const response = visibleText(attempt.response) ?? '';
        const why = attemptText(attempt, pageLanguage);
        return (
          <li key={n}>
            <p class="flow">
              <span class="soft">{t.messages.attempt(number(n))}</span>
              <Badge tone={TONES[outcome] ?? 'bad'}>
                {own<string>(t.messages.outcomes, outcome) ?? outcome}
              </Badge>
              <span class="flow end soft small">
                {http_status !== undefined && <span>HTTP {http_status}</span>}
                <span>{duration(duration_ms)}</span>
                <Time at={at} />
              </span>
            </p>
            {why !== '' && <Coded as="p" text={why} />}
            {response !== '' && (
              <details>
                <summary>{t.messages.response}</summary>
                <pre tabIndex={0}>{response}</pre>
              </details>
            )}
          </li>
        );
      })}
    </ol>
  );

type Waits = NonNullable<Message['waits']>;

function waitsText(waits: Waits, now: number): string {
  const text = waitsFor(waits);
  if (waits.until === undefined) return text;
  // A due message is not "3 seconds ago": it is sent now.
  const until = ago(Math.max(Date.parse(waits.until), now), now);
  const words = t.messages.waits;
  return waits.for === 'retry' ? words.retryAt(...attemptOf(waits), until) : words.until(text, until);
}

function waitsFor(waits: Waits): string {
  const words = t.messages.waits;
  switch (waits.for) {
    case 'pause':
      return pausedText({
        ...waits,
        by: waits.code === 'paused' ? (visibleText(waits.params?.['by']) ?? words.somebody) : 'gateway',
        reason: waits.detail ?? '',
      });
    case 'login':
      return words.login(codedText({ ...waits, text: waits.detail ?? '' }));
    case 'receiver':
      return words.receiver(number(waits.per_hour ?? 0));
    case 'contact':
      return words.contact(number(waits.per_day ?? 0));
    case 'retry':
      return words.retry(...attemptOf(waits));
    case 'circuit':
    case 'delay':
    case 'pace':
    case 'turn':
      return words[waits.for];
  }
}

const attemptOf = ({ attempt = 0, of = 0 }: Waits): [string, string] => [number(attempt), number(of)];

export const whyText = (
  message: Parameters<typeof stateReason>[0] & Pick<Message, 'waits'>,
  now: number,
): string =>
  [message.waits === undefined ? '' : waitsText(message.waits, now), stateReason(message)]
    .filter((text) => text !== '')
    .join(' · ');

export const kindName = (kind: string): string => (isMessageKind(kind) ? t.kinds[kind] : kind);

export const paramName = (name: string): string => own<string>(t.params, name) ?? name;

/** The path of a text in a template: `message`, `options[1]`, `fallback[0].message`. */
const PATH = /^(?:fallback\[(\d+)\]\.)?(\w+)(?:\[(\d+)\])?$/;

export function fieldName(path: string): string {
  const [, fallback, name = path, at] = PATH.exec(path) ?? [];
  const field = paramName(name) + (at === undefined ? '' : ` ${Number(at) + 1}`);
  return fallback === undefined ? field : t.templates.ofFallback(field, Number(fallback) + 1);
}
