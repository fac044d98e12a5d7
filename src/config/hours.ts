import type { Hours } from './config.ts';
import type { HoursDocument } from './telling-schema.ts';

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

/** Hours as a document writes them. `timezone`: where they are if the document does not say. */
export const hoursOf = (document: HoursDocument, timezone: string): Hours => ({
  from: minutesOf(document.from),
  to: minutesOf(document.to),
  days: (document.days ?? DAYS).map((day) => DAYS.indexOf(day)),
  timezone: document.timezone ?? timezone,
});

/** Minutes after midnight of `HH:MM`. */
const minutesOf = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
