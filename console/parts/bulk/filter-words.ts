import { phoneText, stamp } from '../../lib/format.ts';
import { t } from '../../texts/texts.ts';

import type { ListFilter } from './bulk-filter.ts';

const STATES: Readonly<Record<string, string>> = t.states;

export function filterWords(filter: ListFilter): readonly string[] {
  const words = t.bulk.filterWords;
  const found = Object.entries(filter).map(([name, value]) => {
    switch (name) {
      case 'state':
        return words.state(STATES[value] ?? value);
      case 'since':
      case 'until':
        return words[name](momentText(value));
      case 'phone':
        return words.phone(phoneText(value));
      case 'source':
      case 'type':
      case 'text':
      case 'event':
        return words[name](value);
      default:
        return `${name}: ${value}`;
    }
  });
  return found.length === 0 ? [t.bulk.all] : found;
}

/** A text that is not a time is shown unchanged; the API reports the error. */
export const momentText = (text: string): string => (Number.isNaN(Date.parse(text)) ? text : stamp(text));
