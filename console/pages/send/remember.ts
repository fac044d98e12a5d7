import type { MessageKind } from '../../../src/gateway/kinds.ts';
import { readStored, store } from '../../lib/stored.ts';

interface LastSend {
  readonly kind: MessageKind;
  readonly account: string;
}

/** The receivers of this browser, the last one last, each with its choice. */
type Choices = readonly (readonly [receiver: string, choice: LastSend])[];

const STORED = 'hookbell.send';
const MAX = 20;

const stored = (): Choices => readStored<Choices>(localStorage, STORED) ?? [];

export const lastSendTo = (receiver: string): LastSend | null =>
  stored().find(([one]) => one === receiver)?.[1] ?? null;

/** Whoever uses this browser next does not see who was written to. */
export const forget = (): void => localStorage.removeItem(STORED);

export const remember = (receiver: string, choice: LastSend): void => {
  const others = stored().filter(([one]) => one !== receiver);
  store(localStorage, STORED, [...others, [receiver, choice]].slice(-MAX));
};
