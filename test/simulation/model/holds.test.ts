import { expect, it } from 'vitest';
import { brokenAtQuiet, brokenBy, History, HOUR, NOON, RULES } from './history.ts';

/** The rules that each of these breaks after a story has begun. */
const ends = (begins: string, all: readonly string[], rules = RULES) =>
  Object.fromEntries(all.map((end) => [end, brokenBy(`${begins}; ${end}`, rules)]));

it('a silence holds back openings, repeats and flapping notices once it is in force everywhere', () => {
  const begins = '-1h fires k1; 0 silences k1 2h';
  const all = ['1h +k1', '1h =k1', '1h ~k1', '1m +k1', '3h +k1'];
  expect(ends(begins, all, { ...RULES, repeatMs: 1 })).toEqual({
    '1h +k1': ['a silence holds back openings'],
    '1h =k1': ['a silence holds back repeats'],
    '1h ~k1': ['a silence holds back flapping notices'],
    '1m +k1': [],
    '3h +k1': [],
  });
  expect(brokenBy(`${begins}; -1h waits; 1h +k1`)).toEqual(['a silence holds back delayed notifications']);
});

it('a silence is not in force while what it needs is out of order', () => {
  const history = new History(RULES, (from) => (from < NOON + HOUR ? NOON + HOUR : null));
  history.tell('0.01 fires k1; 0 silences k1 3h; 59m +k1');
  expect([...history.rules]).toEqual([]);
  expect([...history.tell('121m =k1').rules]).toEqual(['a silence holds back repeats']);
});

it('a silence of warnings holds back what is a warning, and nothing that is critical, which is notified in time', () => {
  const rules = { ...RULES, repeatMs: null };
  const begins = '0 fires k1 warning; 0 silences k1 4h warnings';
  const all = [
    '1h +k1',
    '10m fires k1 critical; 11m +k1',
    '10m fires k1 critical; 3h looked',
    '10m fires k1 critical; 1h fires k1 warning; 3h looked',
    '10m fires k1 critical; 1h fires k1 warning; 2h +k1',
    // Its sender has said something newer of it: it is a warning still, or is not.
    '10m fires k1 critical outdated; 1h +k1',
    '10m fires k1 critical outdated; 3h looked',
  ];
  expect(Object.values(ends(begins, all, rules))).toEqual([
    ['a silence holds back openings'],
    [],
    ['what is open is notified in time'],
    [],
    ['a silence holds back openings'],
    [],
    [],
  ]);
});

it('a silence holds back that what flapped is stable', () => {
  const flapped = '0 fires k1; 0.01 ~k1';
  expect(brokenAtQuiet(flapped, ['k1'])).toEqual(['what flapped is said to be stable']);
  expect(brokenAtQuiet(`${flapped}; 0 silences k1 ever`, ['k1'])).toEqual([]);
});

const rules = { ...RULES, inhibitor: 'k1' };

it('an inhibition holds back openings, repeats and flapping notices of others while its incident is open, and no resolutions', () => {
  const all = ['10m +k2', '10m =k2', '10m ~k2', '10m +k1', '2m +k2', '61 +k2; 20m ends k2; 20.1m -k2'];
  // The last but one was decided before.
  expect(Object.values(ends('0 fires k1; 1m fires k2', all, rules))).toEqual([
    ['an inhibition holds back openings'],
    ['an inhibition holds back repeats'],
    ['an inhibition holds back flapping notices'],
    [],
    [],
    [],
  ]);
});

it('an inhibition is over when its incident is, and what still fires is due then', () => {
  const begins = '0 fires k1; 1m +k1; 1m fires k2';
  expect(brokenAtQuiet(begins, ['k1', 'k2'], rules)).toEqual([]);
  const over = `${begins}; 1h ends k1; 61m -k1`;
  expect(brokenAtQuiet(over, ['k2'], rules)).toEqual(['who is on a list is notified of what is open']);
  expect(brokenAtQuiet(`${over}; 61m +k2`, ['k2'], rules)).toEqual([]);
});

it('an inhibition by what is open for who left alone is none', () => {
  const story = '0 fires k1; 1m fires k2; 0 joined ben; 1m left ben; 1h ends k1';
  expect(brokenAtQuiet(story, ['k2'], rules)).toEqual([
    'what is open for who left a list alone inhibits nothing',
  ]);
});
