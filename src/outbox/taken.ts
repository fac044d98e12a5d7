import type { Base } from './base.ts';
import type { Messages } from './messages.ts';
import { reportsTo } from './state/fallback.ts';
import { insertClaimOf, takenAs } from './state/handed-claims.ts';
import type { EndedElsewhere, Handed, HandOnAnswer } from './state/handed.ts';
import { addReport } from './state/handings.ts';
import { messageId, type MessageRow } from './state/message.ts';

type Parts = Base & { readonly messages: Messages };

/**
 * Queues a fallback of another account's message, only once however often it comes. `isGone`: this account was removed.
 */
export function takeHanded(parts: Parts, { id, draft, origin }: Handed, isGone: boolean): HandOnAnswer {
  const { account, clock, messages, sql, tag } = parts;
  const known = takenAs(sql, id);
  if (known !== null) return { message: known };
  if (isGone) return { refusal: `there is no account \`${account()}\`` };
  const seq = messages.queue({ drafts: [draft], origin }, (number) =>
    insertClaimOf(sql, id, messageId(number, tag), clock()),
  );
  return seq === null
    ? { refusal: `the outbox of the account \`${account()}\` is full` }
    : { message: messageId(seq, tag) };
}

/**
 * Records the end of a message that was taken from another account, if that account wants to know. False if it does
 * not.
 */
export function reportEnd(
  { account, clock, sql, tag }: Base,
  row: MessageRow,
  end: Pick<EndedElsewhere, 'state' | 'outcome'>,
): boolean {
  const to = reportsTo(row);
  if (to === null) return false;
  const by = { account: account(), message: messageId(row.seq, tag) };
  const what: EndedElsewhere = { id: to.message, by, ...end };
  addReport(sql, row.seq, to.account, what, clock());
  return true;
}
