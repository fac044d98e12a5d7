import { isMessageKind, type MessageKind } from '../../../src/gateway/kinds.ts';
import { readStored, store } from '../../lib/stored.ts';
import { isObject } from '../../../src/lib/json.ts';

interface LastSend {
  readonly kind: MessageKind;
  readonly account: string;
}

/** Receivers, the last one last, each with its choice. */
type Choices = readonly (readonly [receiver: string, choice: LastSend])[];

const STORED = 'hookbell.send';
const MAX = 20;

/** The receivers of this browser. Entries of other versions of this page that are not understood are ignored. */
function stored(): Choices {
  const list = readStored(localStorage, STORED);
  return Array.isArray(list) ? list.flatMap(readEntry) : [];
}

function readEntry(entry: unknown): Choices {
  const list: readonly unknown[] = Array.isArray(entry) ? entry : [];
  const [receiver, choice] = list;
  if (typeof receiver !== 'string' || !isObject(choice)) return [];
  const { kind, account } = choice;
  if (typeof kind !== 'string' || !isMessageKind(kind) || typeof account !== 'string') return [];
  return [[receiver, { kind, account }]];
}

export const lastSendTo = (receiver: string): LastSend | null =>
  stored().find(([one]) => one === receiver)?.[1] ?? null;

/** Whoever uses this browser next does not see who was written to. */
export const forget = (): void => localStorage.removeItem(STORED);

export const remember = (receiver: string, choice: LastSend): void =>
  store(
    localStorage,
    STORED,
    [...stored().filter(([one]) => one !== receiver), [receiver, choice]].slice(-MAX),
  );
