import { describe, expect, test } from 'vitest';
import { afterAll, mergeNewest, withFresh } from '../../../console/lib/merge-list.ts';

const item = (n: number, state = 'queued') => ({ id: `msg_${n}`, at: `2026-01-01T00:00:0${n}.000Z`, state });
const timeOf = ({ at }: { at: string }): string => at;

describe('the newest page in a list that is read', () => {
  test('what came since is distinguished from what is shown, which stays in its place with its new state', () => {
    const shown = [item(3), item(2), item(1)];
    const merged = mergeNewest(shown, [item(4), item(3, 'sent'), item(2)], true);
    expect(merged.fresh).toEqual([item(4)]);
    expect(merged.same).toEqual([item(3, 'sent'), item(2), item(1)]);
    expect(merged.hasGap).toBe(false);
  });

  test('an item that the filter no longer matches stays: it is being read', () => {
    expect(mergeNewest([item(2), item(1)], [item(1)], false).same).toEqual([item(2), item(1)]);
  });

  test('a page that has nothing of what is shown may leave a gap', () => {
    expect(mergeNewest([item(1)], [item(9), item(8)], true).hasGap).toBe(true);
    expect(mergeNewest([item(1)], [item(9), item(8)], false).hasGap).toBe(false);
    expect(mergeNewest([], [item(9), item(8)], true).hasGap).toBe(false);
  });
});

describe('both together', () => {
  test('are newest first', () => {
    expect(withFresh([item(2), item(1)], [item(4), item(3)], timeOf).map(({ id }) => id)).toEqual([
      'msg_4',
      'msg_3',
      'msg_2',
      'msg_1',
    ]);
  });

  test('an old item that matches since now comes to its place', () => {
    const all = withFresh([item(4), item(1)], [item(5), item(2)], timeOf);
    expect(all.map(({ id }) => id)).toEqual(['msg_5', 'msg_4', 'msg_2', 'msg_1']);
  });

  test('have each item once', () => {
    expect(withFresh([item(2), item(1)], [item(2, 'sent')], timeOf)).toEqual([item(2, 'sent'), item(1)]);
  });
});

const became = (id: string, state: string) => ({ id, state });
const after = (one: ReturnType<typeof item>, { state }: { state: string }) =>
  one.state === state ? one : { ...one, state: `${one.state}>${state}` };
const aboutOf = ({ id }: { id: string }): string | null => (id === '' ? null : id);

describe('what happened to items', () => {
  test('is applied in its order, each to its own item', () => {
    const happened = [became('msg_1', 'sending'), became('', 'lost'), became('msg_1', 'sent')];
    const all = afterAll([item(2), item(1)], happened, aboutOf, after);
    expect(all.map(({ state }) => state)).toEqual(['queued', 'queued>sending>sent']);
  });

  test('leaves the very list if it is about none of them, or says nothing new', () => {
    const shown = [item(2), item(1)];
    const happened = [became('msg_9', 'sent'), became('', 'lost'), became('msg_1', 'queued')];
    expect(afterAll(shown, happened, aboutOf, after)).toBe(shown);
  });
});
