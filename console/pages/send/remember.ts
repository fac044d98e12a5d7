import { isMessageKind, type MessageKind } from '../../../src/gateway/kinds.ts';

/** The last message to a receiver. */
export interface LastSend {
  readonly kind: MessageKind;
  readonly account: string;
}

/** Receivers, the last one last, each with its choice. */
export type Choices = readonly (readonly [receiver: string, choice: LastSend])[];

const STORED = 'hookbell.send';
/** The number of receivers that are remembered. */
const MAX = 20;

export const withChoice = (choices: Choices, receiver: string, choice: LastSend): Choices =>
  [...choices.filter(([one]) => one !== receiver), [receiver, choice] as const].slice(-MAX);

export const choiceOf = (choices: Choices, receiver: string): LastSend | null =>
  choices.find(([one]) => one === receiver)?.[1] ?? null;

/** Reads this browser's storage. Entries of other versions of this page that are not understood are ignored. */
export function readChoices(text: string | null): Choices {
  try {
    const stored: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(stored) ? stored.flatMap(readEntry) : [];
  } catch {
    return [];
  }
}

function readEntry(entry: unknown): Choices {
  const list: readonly unknown[] = Array.isArray(entry) ? entry : [];
  const [receiver, choice] = list;
  if (typeof receiver !== 'string' || typeof choice !== 'object' || choice === null) return [];
  const kind: unknown = Reflect.get(choice, 'kind');
  const account: unknown = Reflect.get(choice, 'account');
  if (typeof kind !== 'string' || !isMessageKind(kind) || typeof account !== 'string') return [];
  return [[receiver, { kind, account }]];
}

export const stored = (): Choices => readChoices(localStorage.getItem(STORED));

/** Whoever uses this browser next does not see who was written to. */
export const forget = (): void => localStorage.removeItem(STORED);

export const remember = (receiver: string, choice: LastSend): void =>
  localStorage.setItem(STORED, JSON.stringify(withChoice(stored(), receiver, choice)));
