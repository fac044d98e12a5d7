import { expect, it } from 'vitest';
import { brokenAtQuiet, judged, QUIET, type Told } from './history.ts';

const UNHEARD = 'who was notified hears that it is not watched any more';

it('a renamed route ends its incidents as watched no longer, in the morning, for those who were notified', () => {
  const rows: readonly Told[] = [
    ['21h farewell ?k1'],
    ['11h farewell ?k1', 'that something is not watched any more waits for the morning'],
    ['21h farewell -k1', 'nothing renamed is said to be resolved'],
    ['9.5h ends k1; 21h farewell -k1'],
    ['9.5h ends k1; 21h farewell ?k1', 'only what was open is said to be watched no longer', COUNTS],
    ['9h fires k2; 21h farewell ?k1 ?k2', 'only who was notified hears that it is not watched any more'],
    // It is another incident now.
    ['15h fires k1; 21h farewell ?k1; 21.1h +k1'],
    ['21h -k1', 'nobody is notified of what expired'],
  ];
  const before = '8h fires k1; 8.01h +k1; ';
  const after = rows.map(([story, ...broken]): Told => [withRename(story), ...broken]);
  expect(judged(after, QUIET, before)).toEqual(after);
  expect(brokenAtQuiet(`${before}10h renames; 21h farewell ?k1`, [], QUIET)).toEqual([]);
  expect(brokenAtQuiet(`${before}10h renames`, [], QUIET)).toEqual([UNHEARD]);
});

const COUNTS = 'a message counts as watched no longer only what is';

/** What happens before ten at night, and after the route was renamed then. */
const withRename = (story: string): string => {
  const events = [...story.split('; '), '10h renames'];
  return events.toSorted((one, other) => Number.parseFloat(one) - Number.parseFloat(other)).join('; ');
};
