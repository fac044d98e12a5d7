import { language } from '../../texts/texts.ts';

const en = {
  none: 'Nobody takes turns',
  noneText: 'Give a recipients list a rotation, and its people take turns. The file of the list has it.',
  now: 'Now',
  next: 'Next',
  until: 'until',
  always: 'Nobody else',
  person: 'Person',
  from: 'From',
  to: 'Until',
  weeks: (list: string) => `${list}: the next four weeks`,
  calendar: 'Calendar link',
  calendarHelp: 'For your calendar program. Whoever has the link sees who is on call.',
  swap: 'Swap …',
  swapTitle: (list: string) => `Swap: ${list}`,
  swapNow: 'Publish the swap',
  swapped: (person: string) => `${person} takes over.`,
  takesOver: 'Takes over',
  zone: (zone: string) => `Time in ${zone}`,
};

const de: typeof en = {
  none: 'Niemand wechselt sich ab',
  noneText:
    'Gib einer Liste eine Rotation, dann wechseln sich ihre Personen ab. Sie steht in der Datei der Liste.',
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
  swap: 'Tauschen …',
  swapTitle: (list) => `Tauschen: ${list}`,
  swapNow: 'Tausch veröffentlichen',
  swapped: (person) => `${person} übernimmt.`,
  takesOver: 'Übernimmt',
  zone: (zone) => `Zeit in ${zone}`,
};

/** The words of this page, which are loaded with it. */
export const words = language === 'de' ? de : en;
