import type { RotationDocument } from '../../src/config/documents/alerting-schema.ts';
import { DAY, MINUTE } from '../../src/lib/time.ts';

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** All times of the tests are at a quarter of an hour. */
export const QUARTER = 15 * MINUTE;

/**
 * Returns who is on call in each quarter of an hour: it only looks at a clock on the wall, whose hand is held when it is put back until
 * it shows that time again.
 */
export function naiveRotation(document: RotationDocument, from: number, to: number): readonly string[] {
  const clock = new Intl.DateTimeFormat('sv', {
    timeZone: document.timezone,
    dateStyle: 'short',
    timeStyle: 'short',
  });
  const people: string[] = [];
  let latest = '';
  for (let at = from - DAY; at < to; at += QUARTER) {
    const shown = clock.format(at).replace(' ', 'T');
    if (shown > latest) latest = shown;
    if (at >= from) people.push(personAt(document, latest));
  }
  return people;
}

/** `shown`: the local date and time. */
function personAt(document: RotationDocument, shown: string): string {
  const { overrides = [], shifts = [], order } = document;
  for (const { person, from, to } of overrides) if (from <= shown && shown < to) return person;
  const minute = Date.parse(`${shown}Z`);
  for (const shift of shifts)
    for (const day of [minute, minute - DAY].map((ms) => new Date(ms).toISOString().slice(0, 10))) {
      const begin = Date.parse(`${day}T${shift.from}Z`);
      const end = Date.parse(`${day}T${shift.to}Z`) + (shift.to > shift.from ? 0 : DAY);
      const weekday = DAYS[new Date(begin).getUTCDay()] ?? '';
      const isOn = shift.days === undefined || shift.days.some((one) => one === weekday);
      if (isOn && begin <= minute && minute < end) return inTurn(document, shift.order, begin);
    }
  return inTurn(document, order, minute);
}

function inTurn({ from, every }: RotationDocument, people: readonly string[], local: number): string {
  let turn = 0;
  let begin = Date.parse(`${from}Z`);
  for (; begin + every * DAY <= local; begin += every * DAY) turn += 1;
  for (; begin > local; begin -= every * DAY) turn += people.length * 1_000 - 1;
  return people[turn % people.length] ?? '';
}
