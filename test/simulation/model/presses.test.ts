import { describe, expect, it } from 'vitest';
import { History, HOUR, linkOf, MINUTE, NOON, OTHER } from './history.ts';
import type { Page } from './link.ts';
import type { Press } from './press.ts';

const BEN = { token: 'bens', phone: OTHER, by: 'Ben' } as const;
const OWN: Page = { kind: 'own' };
const OPEN: Page = { kind: 'open' };
const RESOLVED: Page = { kind: 'resolved' };
const by = (who: string): Page => ({ kind: 'other', who });

/** k1 is open, and Anna and Ben have a link. */
const open = (): History => new History().tell('-1h fires k1');
const rulesOf = ({ rules }: History): readonly string[] => [...rules];

/** The rules that these deeds break when k1 is open. */
const broken = (deeds: (history: History) => unknown): readonly string[] => {
  const history = open();
  deeds(history);
  return rulesOf(history);
};

/** Anna reads this page an hour after her press was done. */
const looks = ({ model }: History, press: Press, page: Page, at = NOON + HOUR): void =>
  model.presses.looks(press, page, at);

/** What is counted of acknowledgements after these deeds. */
const counts = (deeds: (history: History) => unknown) => {
  const history = open();
  deeds(history);
  return history.model.presses.count('ack');
};

const LOST = ['a press that was answered is not lost'];
const ONCE = ['a question is answered once'];

describe('a press', () => {
  it.each<[string, Page, story: string, readonly string[]]>([
    ['that was answered is not lost', OWN, '', []],
    ['that was answered is not lost', OPEN, '', LOST],
    ['is not lost when its incident is resolved', RESOLVED, '1m ends k1', LOST],
    [
      'is about the incidents as they were: when one opens again, its page may ask again',
      OPEN,
      '1m ends k1; 2m fires k1',
      [],
    ],
  ])('%s (%j)', (_, page, story, rules) => {
    const looked = broken((history) => {
      const press = history.pressed({}, NOON);
      if (story !== '') history.tell(story);
      looks(history, press, page);
    });
    expect(looked).toEqual(rules);
  });

  it('is about no incident that was over when somebody pressed', () => {
    const rules = broken((history) => {
      const press = history.tell('-1h fires k2; -1m ends k2').pressed({ keys: ['k1', 'k2'] }, NOON);
      looks(history.tell('1m fires k2'), press, OPEN);
    });
    expect(rules).toEqual([]);
  });

  it.each([
    [HOUR, []],
    [20 * MINUTE, [...LOST, ...ONCE]],
  ])('of a silence is asked anew when the silence is over, and not before (%i ms)', (ms, rules) => {
    const silenced = broken((history) => {
      looks(history, history.pressed({ action: 'silence' }, NOON), OPEN, NOON + ms);
      history.pressed({ ...BEN, action: 'silence' }, NOON + ms);
    });
    expect(silenced).toEqual(rules);
  });

  it('may be asked anew when another press of the same incident was taken back', () => {
    const rules = broken((history) => {
      const press = history.tell('-1h fires k2').pressed({ keys: ['k1'] }, NOON);
      const both = history.pressed({ token: 'both', keys: ['k1', 'k2'] }, NOON + 10_000);
      looks(history.tookBack(both, NOON + 20_000), press, OPEN);
    });
    expect(rules).toEqual([]);
  });

  it('that is answered is taken, unless somebody took one back meanwhile', () => {
    expect(broken((history) => history.pressed({}, NOON, OPEN))).toEqual([
      'a press that is answered is taken',
    ]);
    const stirred = broken((history) => {
      history.model.presses.takesBack(history.pressed(BEN, NOON - 10_000), NOON);
      history.pressed({}, NOON, OPEN);
    });
    expect(stirred).toEqual([]);
  });

  it('answers a question once, and the second hears who was first', () => {
    const second = (page: Page, link: Parameters<History['pressed']>[0] = {}) =>
      broken((history) => {
        history.pressed(link, NOON);
        history.pressed({ ...link, ...BEN }, NOON + MINUTE, page);
      });
    expect(second(OWN)).toEqual(ONCE);
    expect([second(by('Anna')), second({ kind: 'taken', who: 'Anna' })]).toEqual([[], []]);
    expect(second(by('Cleo'))).toEqual(['whoever presses second sees who was first']);
    expect(second(OWN, { action: 'silence' })).toEqual(ONCE);
    const back = broken((history) =>
      history.tookBack(history.pressed({}, NOON), NOON + 10_000).pressed(BEN, NOON + MINUTE),
    );
    expect(back).toEqual([]);
  });

  it('does nothing about what is over, and finds a link that works', () => {
    expect(broken((history) => history.tell('-1m ends k1').pressed({}, NOON, RESOLVED))).toEqual([]);
    const acted = broken((history) => history.tell('-1m ends k1').pressed(BEN, NOON + 1));
    expect(acted).toEqual(['what is over is not acted on']);
    const called = broken((history) => history.pressed({}, NOON, RESOLVED));
    expect(called).toEqual(['no page calls resolved what is open']);
    expect(broken((history) => history.pressed({}, NOON, { kind: 'dead' }))).toEqual([
      'a link that was sent works',
    ]);
  });

  it('is counted as one event, but where nobody knows, or its page asks again, and an incident has opened again since', () => {
    const again = counts((history) => {
      const { presses } = history.tell('1m ends k1; 2m fires k1').model;
      presses.answered(presses.begins(linkOf(BEN), NOON), OPEN, { at: NOON + 3 * MINUTE, isLost: false });
    });
    expect(again).toEqual({ sure: 0, most: 1 });
    expect(counts((history) => history.pressed({}, NOON, OPEN))).toEqual({ sure: 0, most: 0 });
    const unknown = counts((history) => {
      history.tell('0 presses; 10 presses');
      const { presses } = history.model;
      presses.gaveUp(presses.begins(linkOf(BEN), NOON), NOON + MINUTE);
    });
    expect(unknown).toEqual({ sure: 1, most: 2 });
  });
});

describe('a press that is taken back', () => {
  it.each([
    [30, OPEN, []],
    [30, OWN, ['a press can be undone for a minute']],
    [70, OWN, []],
    [70, OPEN, ['after a minute a press stays']],
  ])('is open again within a minute, and stays after it (%i s, %j)', (seconds, page, rules) => {
    const back = broken((history) =>
      history.tookBack(history.pressed({}, NOON), NOON + 1_000 + seconds * 1_000, page),
    );
    expect(back).toEqual(rules);
  });

  it('may be pressed again before its page is read', () => {
    const rules = broken((history) => {
      const { presses } = history.model;
      const press = history.pressed({}, NOON);
      presses.takesBack(press, NOON + 5_000);
      history.pressed({}, NOON + 6_000);
      presses.tookBack(press, OWN, { at: NOON + 7_000, isLost: false, clockOffMs: 0 });
    });
    expect(rules).toEqual([]);
  });
});

describe('a press of `resolve`', () => {
  it('resolves, whoever spoke of the incident before, but not if it was answered otherwise', () => {
    const history = open();
    history.pressed({ action: 'resolve' }, NOON);
    expect(history.model.changes.statusOf('k1', NOON + HOUR)).toBe('resolved');
    expect(rulesOf(history.tell('1h +k1'))).toEqual(['no opening is sent once it is resolved']);
    const other = open();
    other.pressed({ action: 'resolve' }, NOON, by('Ben'));
    const { changes } = other.model;
    expect([changes.statusOf('k1', NOON + HOUR), changes.isDoubtful('k1', NOON + HOUR)]).toEqual([
      'firing',
      false,
    ]);
  });

  it('leaves a doubt where a sender spoke at the same moment, until it speaks again', () => {
    const history = open();
    const { changes, presses } = history.model;
    const press = presses.begins(linkOf({ action: 'resolve', token: 'x', phone: OTHER, by: 'Ben' }), NOON);
    history.tell('0.01 fires k1');
    presses.answered(press, OWN, { at: NOON + 20, isLost: false });
    expect(changes.isDoubtful('k1', NOON + HOUR)).toBe(true);
    history.tell('2h fires k1');
    expect(changes.isDoubtful('k1', NOON + 3 * HOUR)).toBe(false);
    expect(changes.statusOf('k1', NOON + 3 * HOUR)).toBe('firing');
  });
});

describe('a press of `silence`', () => {
  const KNOWN = '-59.9m +k1';

  it.each<[Page, isUndone: boolean, minutes: number, readonly string[]]>([
    [OWN, false, 10, ['a silence holds back repeats']],
    [OWN, false, 40, []],
    [OWN, true, 10, []],
    [by('Ben'), false, 10, []],
  ])(
    'holds back for as long as it says, if it is one, and not taken back (%j, %s, %i)',
    (page, isUndone, minutes, rules) => {
      const history = open().tell(KNOWN);
      const press = history.pressed({ action: 'silence' }, NOON, page);
      if (isUndone) history.tookBack(press, NOON + 20_000);
      history.rules.clear();
      expect(rulesOf(history.tell(`${minutes}m =k1`))).toEqual(rules);
    },
  );

  it.each([
    ['30 ends k1; 30.1 -k1', []],
    ['2m ends k1; 121 -k1', ['a silence holds back openings']],
  ])('holds back nothing of what ended before it was taken, and opens again (%s)', (story, rules) => {
    const history = open().tell(KNOWN);
    const { presses } = history.model;
    // It is answered only after some tries.
    const press = presses.begins(linkOf({ action: 'silence' }), NOON);
    history.tell(story);
    presses.answered(press, OWN, { at: NOON + MINUTE, isLost: false });
    expect(rulesOf(history.tell('10m fires k1; 601 +k1'))).toEqual(rules);
  });

  it('that was pressed again may be the one of before, which ends sooner', () => {
    const history = open().tell(KNOWN);
    history.pressed({ action: 'silence' }, NOON);
    history.tell('10 ends k1; 20 fires k1').pressed({ action: 'silence' }, NOON + 20 * MINUTE);
    expect(rulesOf(history.tell('40m =k1'))).not.toContain('a silence holds back repeats');
  });
});
