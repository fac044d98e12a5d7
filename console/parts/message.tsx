import { useState } from 'preact/hooks';
import { attemptText } from '../../shared/gateway-words.ts';
import { isMessageKind } from '../../src/gateway/kinds.ts';
import { isCancellable, isRetryable } from '../../src/outbox/state/states.ts';
import { post, visibleText } from '../api/client.ts';
import type { Message } from '../api/types.ts';
import { ago, duration, number, phoneText } from '../lib/format.ts';
import { useKeys } from '../lib/keys.ts';
import { codedText, pageLanguage, pausedText, stateReason } from '../texts/relay-texts.ts';
import { t } from '../texts/texts.ts';
import { Badge, Button, Time, type Tone } from '../ui/basics.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { For, useMay } from '../ui/session.tsx';
import { Coded } from '../ui/text.tsx';
import { toast } from '../ui/toast.tsx';

interface ActionsProps {
  readonly message: Message;
  readonly onDone: (message: Message) => void;
  /** True on the page of one message, where the keys `r` and `c` do the same. */
  readonly hasKeys?: boolean;
}

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

type MessageAttempt = Message['attempts'][number];

const TONES: Partial<Readonly<Record<MessageAttempt['outcome'], Tone>>> = {
  sent: 'good',
  uncertain: 'warn',
  busy: 'warn',
};

const WORDS: Readonly<Record<string, string>> = t.messages.outcomes;

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
              <Badge tone={TONES[outcome] ?? 'bad'}>{WORDS[outcome] ?? outcome}</Badge>
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
  const words = t.messages.waits;
  const until = waits.until === undefined ? '' : timeTo(waits.until, now);
  if (waits.for === 'retry' && until !== '') return words.retryAt(...attemptOf(waits), until);
  const text = textOf(waits);
  return until === '' ? text : words.until(text, until);
}

function textOf(waits: Waits): string {
  const words = t.messages.waits;
  switch (waits.for) {
    case 'pause':
      return pausedText({ ...waits, by: pausedBy(waits), reason: waits.detail ?? '' });
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

const pausedBy = ({ code, params }: Waits): string =>
  code === 'paused' ? (visibleText(params?.['by']) ?? t.messages.waits.somebody) : 'gateway';

const attemptOf = ({ attempt = 0, of = 0 }: Waits): [string, string] => [number(attempt), number(of)];

/** A due message is not "3 seconds ago": it is sent now. */
const timeTo = (until: string, now: number): string => ago(Math.max(new Date(until).getTime(), now), now);

export const whyText = (
  message: Parameters<typeof stateReason>[0] & Pick<Message, 'waits'>,
  now: number,
): string => {
  const { waits } = message;
  const waiting = waits === undefined ? '' : waitsText(waits, now);
  return [waiting, stateReason(message)].filter((text) => text !== '').join(' · ');
};

export const kindName = (kind: string): string => (isMessageKind(kind) ? t.kinds[kind] : kind);

const NAMES: Readonly<Record<string, string>> = t.params;

export const paramName = (name: string): string => NAMES[name] ?? name;

/** The path of a text in a template: `message`, `options[1]`, `fallback[0].message`. */
const PATH = /^(?:fallback\[(\d+)\]\.)?(\w+)(?:\[(\d+)\])?$/;

export function fieldName(path: string): string {
  const [, fallback, name = path, at] = PATH.exec(path) ?? [];
  const field = paramName(name) + (at === undefined ? '' : ` ${Number(at) + 1}`);
  return fallback === undefined ? field : t.templates.ofFallback(field, Number(fallback) + 1);
}
