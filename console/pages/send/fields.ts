import { MESSAGE_KINDS, isMessageKind, type MessageKind } from '../../../src/gateway/kinds.ts';
import { joinPollOptions } from '../../../src/gateway/poll-options.ts';

export const KINDS = Object.keys(MESSAGE_KINDS).filter(isMessageKind);

/** The typed values, by the gateway's names of parameters. A poll's options are a list. */
export interface Typed {
  readonly texts: Readonly<Record<string, string>>;
  readonly options: readonly string[];
}

export const NOTHING_TYPED: Typed = { texts: {}, options: ['', ''] };

/** The parameters of a kind that are texts, those that it needs first. */
export const textsOf = (kind: MessageKind): readonly string[] =>
  [...MESSAGE_KINDS[kind].required, ...MESSAGE_KINDS[kind].optional].filter((name) => name !== 'options');

export const isRequired = (kind: MessageKind, name: string): boolean =>
  MESSAGE_KINDS[kind].required.includes(name);

export const hasReceiver = (kind: MessageKind): boolean => MESSAGE_KINDS[kind].hasReceiver;

/** Those that take long texts. */
export const isLong = (name: string): boolean => ['message', 'caption', 'text', 'description'].includes(name);

const given = (kind: MessageKind, { texts }: Typed): Readonly<Record<string, string>> =>
  Object.fromEntries(
    textsOf(kind)
      .map((name) => [name, texts[name] ?? ''] as const)
      .filter(([name, value]) => value !== '' || isRequired(kind, name)),
  );

const optionsIn = ({ options }: Typed): readonly string[] => options.filter((one) => one.trim() !== '');

/** The parameters as `POST /messages` takes them. */
export const bodyOf = (kind: MessageKind, typed: Typed): Readonly<Record<string, unknown>> => ({
  kind,
  ...given(kind, typed),
  ...(kind === 'poll' && { options: optionsIn(typed) }),
});

/** The same as the gateway gets them, for the bubble. */
export function paramsOf(kind: MessageKind, typed: Typed): Readonly<Record<string, string>> {
  if (kind !== 'poll') return given(kind, typed);
  const joined = joinPollOptions(optionsIn(typed));
  return { ...given(kind, typed), options: joined.ok ? joined.value : optionsIn(typed).join('') };
}

/** True if there is something to show. */
export const isEmpty = (kind: MessageKind, typed: Typed): boolean =>
  Object.values(given(kind, typed)).every((text) => text.trim() === '');

/** Errors while typing, as keys of the texts. The relay reports all others. */
export type Fault = 'required' | 'address' | 'twoOptions';

export function faultsOf(kind: MessageKind, typed: Typed): Readonly<Record<string, Fault>> {
  const faults: Record<string, Fault> = {};
  for (const name of textsOf(kind)) {
    const text = (typed.texts[name] ?? '').trim();
    if (text === '') {
      if (isRequired(kind, name)) faults[name] = 'required';
    } else if (MESSAGE_KINDS[kind].urls.includes(name) && !isAddress(text)) faults[name] = 'address';
  }
  if (kind === 'poll' && optionsIn(typed).length < 2) faults['options'] = 'twoOptions';
  return faults;
}

const isAddress = (text: string): boolean => /^https?:$/.test(URL.parse(text)?.protocol ?? '');

/** The states that do not change by themselves any more: somebody decides about one that is uncertain. */
export const isFinal = (state: string): boolean =>
  ['sent', 'uncertain', 'dead', 'expired', 'cancelled', 'superseded'].includes(state);
