import { whoHasText, type TextOptions } from '../../render/built-in-text.ts';
import type { DraftMessage } from '../state/acceptance.ts';
import { goesOn, type IncidentState } from '../../schema/states.ts';
import type { SaysHolder } from './entries.ts';

/** The gateway documents no limit; the strictest chat client has one of 4,096 UTF-16 units. */
export const MAX_LENGTH = 4_096;

interface Heard extends Pick<DraftMessage, 'priority' | 'forget'>, Omit<TextOptions, 'maxLength'> {
  readonly route: string;
  readonly who: string | null;
  /** The receiver who knows already; absent: nobody does. */
  readonly not?: string | null;
  /** The only receivers of the message; absent: all who know of an incident. */
  readonly only?: readonly string[] | null;
  readonly maxLength: number | undefined;
}

/** `notified`: the receivers with a number who were, or may have been, notified that it is open. */
export interface HeldIncident {
  readonly key: string;
  readonly title: string;
  readonly state: IncidentState;
  readonly notified: readonly string[];
}

/** One message for each receiver who was, or may have been, notified that one of these is open: somebody has it. */
export function whoHasMessages(
  incidents: readonly HeldIncident[],
  { route, who, not, isBack, only, locale, maxLength = MAX_LENGTH, priority, forget }: Heard,
): readonly DraftMessage[] {
  const heard = incidents
    .filter(({ state }) => goesOn(state))
    .flatMap(({ key, title, notified }) => notified.map((phone) => ({ phone, key, title })))
    .filter(({ phone }) => phone !== not && (only?.includes(phone) ?? true));
  const options: TextOptions = { locale, isBack, maxLength };
  return [...Map.groupBy(heard, ({ phone }) => phone)].map(([phone, own]) => {
    const titles = own.map(({ title }) => title);
    const keys = own.map(({ key }) => key);
    const says = { form: 'holder', who, keys, ...options } satisfies SaysHolder;
    const params = { message: whoHasText(who, titles, options) };
    return { route, kind: 'text', phone, params, says, priority, forget };
  });
}
