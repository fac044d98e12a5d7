import { expect, it } from 'vitest';
import { brokenAtQuiet, brokenBy, History, HOUR, NOON, RULES, judged, type Told } from './history.ts';

const EXPIRING = { ...RULES, expiresMs: 3 * HOUR };

/** It fired at noon, its phone was notified, and nobody spoke of it since. */
const FORGOTTEN = '0 fires k1; 1m +k1';
/** It fired again when it had expired. */
const AGAIN = `${FORGOTTEN}; 4h fires k1`;

const atQuiet = (story: string, open: readonly string[] = []) => brokenAtQuiet(story, open, EXPIRING);

it('an incident of which nobody speaks expires, and nobody is notified of it any more; it is another one when it fires again', () => {
  const rows: readonly Told[] = [
    [`${FORGOTTEN}; 2.9h ~k1`],
    ...['~k1', '=k1', '-k1'].map(
      (word) => [`${FORGOTTEN}; 3.1h ${word}`, 'nobody is notified of what expired'] as const,
    ),
    [`${FORGOTTEN}; 3h waits; 3.1h =k1`, 'delayed notifications leave out expired incidents'],
    [`${AGAIN}; 6.5h looked`, 'what is open is notified in time'],
    [`${AGAIN}; 4.1h +k1`],
    // Whoever was notified before it expired hears that it is over.
    [`${AGAIN}; 5h ends k1; 5.01h -k1`],
    [`${FORGOTTEN}; 4h ends k1; 4.01h -k1`],
    ['0 fires k1; 4h ends k1; 4.01h -k1', 'only receivers of the opening get the resolution'],
    // Somebody spoke of it in time.
    [`${FORGOTTEN}; 2.5h fires k1; 5h ~k1`],
  ];
  expect(judged(rows, EXPIRING)).toEqual(rows);
});

it('an end that comes after an incident expired is due to whoever was notified', () => {
  const rule = 'every receiver of an opening gets its resolution';
  expect(atQuiet(`${FORGOTTEN}; 4h ends k1`)).toEqual([rule]);
  expect(atQuiet(`${FORGOTTEN}; 4h ends k1; 4.1h -k1`)).toEqual([]);
});

/** The rules that a digest breaks at five, after what the story tells. */
const brokenByDigest = (story: string, resolved: number, expired: number): readonly string[] => {
  const history = new History(EXPIRING).tell(story);
  const says = { says: [], missed: { resolved, expired } };
  return [...history.shows('', NOON + 5 * HOUR, says).rules];
};

it('a digest counts no more than there can be, and is not all that somebody gets who has left', () => {
  const both = '0 fires k1; 0 fires k2; 1h ends k2';
  expect(brokenByDigest(both, 1, 1)).toEqual([]);
  expect(brokenByDigest(both, 2, 0)).toEqual(['a digest counts as resolved only what is']);
  expect(brokenByDigest(both, 1, 2)).toEqual(['a digest counts as not heard of only what is']);
  const refused = '0 fires k1; 1h asks k1; 2.5h asks k1';
  expect(brokenByDigest(refused, 0, 1)).toEqual([]);
  expect(brokenByDigest(refused, 0, 2)).toEqual(['a digest counts as not heard of only what is']);
  expect(brokenByDigest(`${both}; 2h left me`, 1, 1)).toEqual([
    'who has left a list gets no message that only counts',
  ]);
});

it('an incident of which nobody speaks is not open, and nothing of it is due', () => {
  expect(atQuiet(FORGOTTEN)).toEqual([]);
  expect(atQuiet(FORGOTTEN, ['k1'])).toEqual(['the API says which incidents are open']);
  expect(atQuiet('0 fires k1')).toEqual([]);
  expect(atQuiet(`${FORGOTTEN}; 2.5h fires k1; 5h ~k1; 5.2h ends k1; 5.3h -k1`)).toEqual([]);
});

it('an incident of which nobody speaks may be either one when somebody speaks of it nearly too late', () => {
  const nearly = `${FORGOTTEN}; 181m fires k1; 182m +k1`;
  expect(brokenAtQuiet(nearly, ['k1'], { ...EXPIRING, repeatMs: 4 * HOUR })).toEqual([]);
});

it('an incident of which nobody speaks may have opened again when nobody saw the answer', () => {
  const history = new History(EXPIRING).tell('0 fires k1');
  const later = NOON + 5 * HOUR;
  expect(history.model.changes.overSince('k1', later)).toBeLessThan(later);
  history.model.changes.said('k1', { status: 'firing', requestedAt: later - 10, acceptedAt: null });
  expect(history.model.changes.overSince('k1', later)).toBeNull();
});

it('an incident of which nobody speaks inhibits nothing once it has expired', () => {
  const rules = { ...EXPIRING, inhibitor: 'k1' };
  const noticed = '0 fires k1; 4h fires k2; 241m +k2; 6.5h looked';
  expect(brokenBy(noticed, rules)).toEqual([]);
  const late = `${noticed}; 241m fires k3; 6h fires k3; 6.6h looked`;
  expect(brokenBy(late, rules)).toEqual(['what is open is notified in time']);
});
