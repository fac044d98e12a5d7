import type { Message } from '../../api/types.ts';

type State = Message['state'];

/** A person may retry messages in these states; the API decides, and this only hides what it would refuse. */
export const RETRYABLE = [
  'dead',
  'uncertain',
  'expired',
  'cancelled',
  'suppressed',
  'retrying',
] as const satisfies readonly State[];

const WAITING = ['queued', 'retrying', 'uncertain'] as const satisfies readonly State[];

const isOneOf = (states: readonly string[], state: string): boolean => states.includes(state);

export const canRetry = ({ state }: Pick<Message, 'state'>): boolean => isOneOf(RETRYABLE, state);
export const canCancel = ({ state }: Pick<Message, 'state'>): boolean => isOneOf([...WAITING, 'dead'], state);

/** Many at once, of the state that a list is filtered by; empty: of any. Of many, only what waits is cancelled. */
export const canRetryMany = (state: string): boolean => state === '' || isOneOf(RETRYABLE, state);
export const canCancelMany = (state: string): boolean => state === '' || isOneOf(WAITING, state);
