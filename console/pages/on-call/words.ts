import { language } from '../../texts/texts.ts';

const en = {
  none: 'No rotations yet',
  noneText: 'Add a rotation to the file of a recipients list, and its people take turns.',
  now: 'Now',
  next: 'Next',
  until: 'until',
  always: 'Nobody else',
  person: 'Person',
  from: 'From',
  to: 'Until',
  weeks: (list: string) => `${list}: the next four weeks`,
  calendar: 'Calendar link',
  calendarHelp: 'For your calendar app. Whoever has the link sees who is on call.',
  swap: 'Hand over …',
  swapTitle: (list: string) => `Hand over: ${list}`,
  swapNow: 'Hand over',
  swapped: (person: string) => `${person} takes over.`,
  takesOver: 'Who takes over',
  takesOverHelp: 'Is notified of open incidents at the start.',
  overrides: 'Overrides',
  delete: 'Delete …',
  deleteTitle: (list: string) => `Delete an override: ${list}`,
  deleteText:
    'The person whose turn it is will be on call again. If the override has begun, they are notified of open incidents.',
  deleteNow: 'Delete the override',
  deleted: (person: string) => `The override is deleted. On call instead: ${person}`,
  zone: (zone: string) => `Time in ${zone}`,
};

const de: typeof en = {
  none: 'Noch keine Rotation',
  noneText: 'Trage in der Datei einer Liste eine Rotation ein, dann wechseln sich ihre Personen ab.',
  now: 'Jetzt',
  next: 'Danach',
  until: 'bis',
  always: 'Niemand sonst',
  person: 'Person',
  from: 'Von',
  to: 'Bis',
  weeks: (list) => `${list}: die nächsten vier Wochen`,
  calendar: 'Kalender-Link',
  calendarHelp: 'Für dein Kalenderprogramm. Wer den Link hat, sieht, wer Bereitschaft hat.',
  swap: 'Übergeben …',
  swapTitle: (list) => `Übergeben: ${list}`,
  swapNow: 'Übergeben',
  swapped: (person) => `${person} übernimmt.`,
  takesOver: 'Wer übernimmt',
  takesOverHelp: 'Erfährt zu Beginn von offenen Störungen.',
  overrides: 'Vertretungen',
  delete: 'Löschen …',
  deleteTitle: (list) => `Vertretung löschen: ${list}`,
  deleteText:
    'Danach hat wieder Bereitschaft, wer an der Reihe ist, und erfährt von offenen Störungen, falls die Vertretung schon gilt.',
  deleteNow: 'Vertretung löschen',
  deleted: (person) => `Vertretung gelöscht. Stattdessen hat ${person} Bereitschaft.`,
  zone: (zone) => `Zeit in ${zone}`,
};

/** The words of this page, which are loaded with it. */
export const words = language === 'de' ? de : en;
