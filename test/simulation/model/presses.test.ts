import { expect, it } from 'vitest';
import { History, HOUR, judged, NOON, RULES, type Told } from './history.ts';

const LOST = 'a press that was answered is not lost';
const ONCE = 'a question is answered once';
const SECOND = 'whoever presses second sees who was first';
const DEAD = 'a link that was sent works';

/** k1 is open, and Anna and Ben have a link. */
const OPEN = '-1h fires k1';
const told = (story: string): History => new History().tell(`${OPEN}; ${story}`);

const ROWS: Readonly<Record<string, readonly Told[]>> = {
  'that was answered is not lost, but is about the incidents as they were: one that opens again may be asked again':
    [
      ['0 presses; 1h reads'],
      ['0 presses; 1h reads sees open', LOST],
      ['0 presses; 1m ends k1; 1h reads sees resolved', LOST],
      ['0 presses; 1m ends k1; 2m fires k1; 1h reads sees open'],
      // k2 was over when somebody pressed.
      ['-1h fires k2; -1m ends k2; 0 presses k1,k2; 1m fires k2; 1h reads sees open'],
    ],
  'of many incidents may be asked again when one opens again that its message only counts, if that was known before':
    [
      ['-1h fires k6; 0 presses k1,k2,k3,k4,k5; 1m ends k6; 2m fires k6; 1h reads sees open'],
      ['-1h fires k6; 0 presses k1,k2,k3,k4,k5; 1m ends k6; 1h reads sees open', LOST],
      ['0 presses k1,k2,k3,k4,k5; 1m fires k6; 2m ends k6; 3m fires k6; 1h reads sees open', LOST],
      ['-1h fires k6; 0 presses k1,k2,k3,k4; 1m ends k6; 2m fires k6; 1h reads sees open', LOST],
    ],
  'of a silence is asked anew when the silence is over, and not before': [
    ['0 presses silence; 1h reads sees open; 1h presses silence by ben'],
    ['0 presses silence; 20m reads sees open; 20m presses silence by ben', LOST, ONCE],
  ],
  'may be asked anew when another press of the same incident was taken back': [
    ['-1h fires k2; 0 presses; 10 presses k1,k2 by both; 20 undoes by both; 1h reads sees open'],
  ],
  'that is answered is taken, unless somebody took one back meanwhile': [
    ['0 presses sees open', 'a press that is answered is taken'],
    ['-10 presses by ben; 0 undoes by ben pending; 0 presses sees open'],
  ],
  'answers a question once, and the second hears who was first': [
    ['0 presses; 1m presses by ben', ONCE],
    ['0 presses; 1m presses by ben sees Anna'],
    ['0 presses; 1m presses by ben sees taken:Anna'],
    ['0 presses; 1m presses by ben sees Cleo', SECOND],
    ['0 presses silence; 1m presses silence by ben', ONCE],
    ['0 presses; 10 undoes; 1m presses by ben'],
  ],
  'does nothing about what is over, and finds a link that works': [
    ['-1m ends k1; 0 presses sees resolved'],
    ['-1m ends k1; 0.001 presses by ben', 'what is over is not acted on'],
    ['0 presses sees resolved', 'no page calls resolved what is open'],
    ['0 presses sees dead', DEAD],
  ],
  'that is taken back is open again within a minute, and stays after it': [
    ['0 presses; 31 undoes'],
    ['0 presses; 31 undoes sees own', 'a press can be undone for a minute'],
    ['0 presses; 71 undoes sees own'],
    ['0 presses; 71 undoes', 'after a minute a press stays'],
    // It is pressed again before its page is read.
    ['0 presses; 5 undoes pending; 6 presses; 7 undone sees own'],
  ],
};

it.each(Object.entries(ROWS))('a press %s', (_, rows) => {
  expect(judged(rows, RULES, `${OPEN}; `)).toEqual(rows);
});

const counts = (story: string) => told(story).model.presses.count('ack');

it('a press is counted as one event, but where nobody knows, or its page asks again, and an incident has opened again since', () => {
  const again = '1m ends k1; 2m fires k1; 0 presses by ben pending; 3m answered by ben sees open';
  expect(counts(again)).toEqual({ sure: 0, most: 1 });
  expect(counts('0 presses sees open')).toEqual({ sure: 0, most: 0 });
  expect(counts('0 presses; 10 presses; 0 presses by ben lost')).toEqual({ sure: 1, most: 2 });
  const many = 'presses k1,k2,k3,k4,k5';
  expect(counts(`-1h fires k6; 0 ${many}; 1m ends k6; 3m ${many}`)).toEqual({ sure: 1, most: 1 });
  expect(counts(`-1h fires k6; 0 ${many}; 1m ends k6; 2m fires k6; 3m ${many}`)).toEqual({
    sure: 1,
    most: 2,
  });
});

it('a press of `resolve` resolves, whoever spoke of the incident before, but not if it was answered otherwise', () => {
  const history = told('0 presses resolve');
  expect(history.model.changes.statusOf('k1', NOON + HOUR)).toBe('resolved');
  expect([...history.tell('1h +k1').rules]).toEqual(['no opening is sent once it is resolved']);
  const { changes } = told('0 presses resolve sees Ben').model;
  expect(changes.statusOf('k1', NOON + HOUR)).toBe('firing');
  expect(changes.isDoubtful('k1', NOON + HOUR)).toBe(false);
});

it('a press of `resolve` leaves a doubt where a sender spoke at the same moment, until it speaks again', () => {
  const history = told('0 presses resolve by ben pending; 0.01 fires k1; 0.02 answered by ben');
  const { changes } = history.model;
  expect(changes.isDoubtful('k1', NOON + HOUR)).toBe(true);
  history.tell('2h fires k1');
  expect(changes.isDoubtful('k1', NOON + 3 * HOUR)).toBe(false);
  expect(changes.statusOf('k1', NOON + 3 * HOUR)).toBe('firing');
});

/** A silence that is answered only after some tries. */
const slow = (story: string): string =>
  `0 presses silence pending; ${story}; 1m answered; 10m fires k1; 601 +k1`;

it('a press of `silence` holds back for as long as it says, if it is one, and nothing of what ended before it was taken', () => {
  const rows: readonly Told[] = [
    ['0 presses silence; 10m =k1', 'a silence holds back repeats'],
    ['0 presses silence; 40m =k1'],
    ['0 presses silence; 20 undoes; 10m =k1'],
    ['0 presses silence sees Ben; 10m =k1', SECOND],
    [slow('30 ends k1; 30.1 -k1')],
    [slow('2m ends k1; 121 -k1'), 'a silence holds back openings'],
    // One that was pressed again may be the one of before, which ends sooner.
    ['0 presses silence; 10 ends k1; 20 fires k1; 20m presses silence; 40m =k1'],
  ];
  expect(judged(rows, RULES, `${OPEN}; -59.9m +k1; `)).toEqual(rows);
});
