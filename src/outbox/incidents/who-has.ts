import { whoHasText, type TextOptions } from '../../render/incident-words.ts';
import type { DraftMessage } from '../state/acceptance.ts';
import { goesOn, type IncidentState } from '../state/states.ts';
import type { SaysHolder } from './entries.ts';

/** The gateway documents no limit; the strictest chat client has one of 4,096 UTF-16 units. */
export const MAX_LENGTH = 4_096;

interface Heard extends Pick<DraftMessage, 'priority' | 'forget'> {
  readonly route: string;
  readonly who: string | null;
  /** The receiver who knows already; absent: nobody does. */
  readonly not?: string | null;
  readonly isBack: boolean;
  /** The only receivers of the message; absent: all who know of an incident. */
  readonly only?: readonly string[] | null;
  /** BCP 47. */
  readonly locale: string;
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
  const heard = new Map<string, { readonly titles: string[]; readonly keys: string[] }>();
  for (const { key, title, notified, state } of incidents) {
    if (!goesOn(state)) continue;
    for (const phone of notified) {
      if (phone === not || !(only?.includes(phone) ?? true)) continue;
      const one = heard.get(phone) ?? { titles: [], keys: [] };
      one.titles.push(title);
      one.keys.push(key);
      heard.set(phone, one);
    }
  }
  const options: TextOptions = { locale, isBack, maxLength };
  return [...heard].map(([phone, { titles, keys }]) => ({
    route,
    kind: 'text',
    phone,
    params: { message: whoHasText(who, titles, options) },
    says: { form: 'holder', who, keys, ...options } satisfies SaysHolder,
    priority,
    forget,
  }));
}
