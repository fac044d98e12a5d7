import type { Action, Page } from '../model/link.ts';
import { RELAY } from '../simulation.ts';
import { IN_STEPS } from './escalation.ts';
import { NAMES, ON_CALL } from './plan.ts';

/** A line of a message that holds a link. Lists do not show its token. */
const LINE = new RegExp(`\\n(ack|resolve|silence|approve) ${RELAY.replaceAll('.', '\\.')}/a/(\\S+)`, 'g');

/** The text of a message, without the lines of its links. */
export const withoutLinks = (text: string): string => text.replaceAll(LINE, '');

/** The links of a message: what they do, and their tokens. */
export const linksIn = (text: string): readonly { readonly action: Action; readonly token: string }[] =>
  [...text.matchAll(LINE)].flatMap(([, action, token = '']) => (isAction(action) ? [{ action, token }] : []));

const isAction = (word: string | undefined): word is Action =>
  word === 'ack' || word === 'resolve' || word === 'silence' || word === 'approve';

/**
 * The name of somebody who is notified of incidents, also where only the end of the number is shown: somebody who has
 * left the list has no name.
 */
export const personOf = (shown: string): string => {
  const end = /•(\d+)$/.exec(shown)?.[1];
  const phone = end === undefined ? undefined : [...ON_CALL, ...IN_STEPS].find((one) => one.endsWith(end));
  return phone === undefined ? shown : (NAMES[phone] ?? phone);
};

/** Reads the page of a link. Null if it is not a page that says anything of it. */
export function pageIn(status: number, html: string): Page | null {
  if (status === 410) return { kind: 'withdrawn' };
  if (status === 404) return { kind: 'dead' };
  if (status !== 200) return null;
  const [, title = ''] = /<h1>([^<]*)<\/h1>/.exec(html) ?? [];
  const who = (words: string): string => personOf(new RegExp(`>([^<>]+) ${words}`).exec(html)?.[1] ?? '');
  switch (title) {
    case 'Done':
      return { kind: 'own' };
    case 'Answered already':
      return { kind: 'other', who: who('pressed') };
    case 'Somebody has it':
      return { kind: 'taken', who: who('took it over') };
    case 'Resolved':
    case 'Nothing is known of it any more':
      return { kind: 'resolved' };
    default:
      return title.startsWith('From ') ? { kind: 'open' } : { kind: 'dead' };
  }
}
