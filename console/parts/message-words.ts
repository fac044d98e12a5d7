import { visibleText } from '../api/client.ts';
import type { Message } from '../api/types.ts';
import { ago, number } from '../lib/format.ts';
import { codedText, pausedText, stateReason } from '../texts/relay-texts.ts';
import { t } from '../texts/texts.ts';
import { isMessageKind } from '../../src/gateway/kinds.ts';

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
