import { expect, it } from 'vitest';
import {
  arrive,
  notified,
  pendingOf,
  statementOf,
  type Incident,
} from '../../src/outbox/incidents/incident.ts';
import { providers } from '../platform/providers.ts';
import { builtInText } from '../../src/render/built-in-text.ts';
import { notificationScope } from '../../src/render/notification-scope.ts';
import english from './notification-texts.txt?raw';
import german from './notification-texts.de.txt?raw';
import { casesOf, elementOf, textOf } from './notifications.ts';
import { rule } from './rule.ts';
import { allItemsOf, incidentRoutes, type SampleItem } from './starter-items.ts';
import { compiledSource } from './starters.ts';

/** Every starter route that has incidents. */
const ROUTES = [...providers.values()].flatMap((provider) =>
  incidentRoutes(provider).map((route) => [`${provider.id}/${route}`, provider, route] as const),
);

/** The first item of a route that fires, and the one that resolves the same incident. */
async function pairOf(id: string, route: string): Promise<readonly [SampleItem, SampleItem]> {
  const provider = providers.get(id);
  const all = provider === undefined ? [] : await allItemsOf(provider);
  const items = all.filter((item) => item.route === route);
  for (const firing of items.filter((item) => !item.isResolved && item.holder === undefined)) {
    const end = items.find((item) => item.isResolved && item.key === firing.key);
    if (end !== undefined) return [firing, end];
  }
  throw new Error(`no sample resolves what a sample of ${id} opens on the route ${route}`);
}

const after = (incident: Incident | null, { isResolved }: SampleItem, now: number): Incident =>
  arrive(incident, { isResolved, isLone: false }, { flaps: null, held: null, now });

/** The gateway has taken a message that says what it is. */
const sent = (incident: Incident, seq: number, now: number): Incident =>
  notified(incident, { statement: statementOf(incident), n: incident.items, about: null }, seq, now);

rule(
  'starters of senders of alerts and builds notify in groups with a limit, and have samples that open and resolve',
  ROUTES,
  async (_, provider, name) => {
    const route = compiledSource(provider, 'en-GB').routes.find((one) => one.name === name);
    expect(route?.alerting?.group).not.toBeNull();
    expect(route?.alerting?.throttle.length).toBeGreaterThan(0);
    const [firing, end] = await pairOf(provider.id, name);
    expect(firing.key).not.toBeNull();
    const opened = after(null, firing, 1_000);
    const resolved = after(sent(opened, 1, 2_000), end, 3_000);
    const pending = [opened, resolved, sent(resolved, 2, 3_000)].map(pendingOf);
    expect(pending).toEqual(['opened', 'resolved', 'nothing']);
  },
);

/** The sections of a file, by their headings. */
const sectionsOf = (file: string): ReadonlyMap<string, string> =>
  new Map(
    file
      .split(/^=== /m)
      .slice(1)
      .map((section): [string, string] => {
        const end = section.indexOf('\n');
        return [section.slice(0, end), section.slice(end + 1).trimEnd()];
      }),
  );

const EXPECTED = [
  ['en-GB', sectionsOf(english)],
  ['de-DE', sectionsOf(german)],
] as const;

const UNTIDY = /\{\{|\[object|undefined|\bnull\b|NaN|\*\*|\*\s*\*|\(\)|\n\n|^\s|\s$| {2}|[:,] *$/m;

rule(
  'what messages of starters say is as notification-texts.txt and .de.txt have it, short and clean',
  ROUTES,
  async (name, provider, route) => {
    const [firing, end] = await pairOf(provider.id, route);
    for (const [locale, expected] of EXPECTED)
      for (const [heading, content] of casesOf(firing, end)) {
        const text = textOf(provider, route, content, locale);
        expect(text, `${name}: ${heading}`).toBe(expected.get(`${name}: ${heading}`));
        expect(text.length, text).toBeLessThanOrEqual(700);
        expect(text).not.toMatch(UNTIDY);
        expect([...text.matchAll(/\p{Extended_Pictographic}/gu)].length, text).toBeLessThanOrEqual(1);
      }
  },
);

it('what messages of starters say is all that the files have', () => {
  const names = new Set(ROUTES.map(([name]) => name));
  for (const [, expected] of EXPECTED)
    expect(new Set([...expected.keys()].map((heading) => heading.split(':')[0]))).toEqual(names);
});

rule(
  'what messages of starters say is not changed by a stranger’s formatting and length',
  ROUTES,
  async (_, provider, route) => {
    const [firing, end] = await pairOf(provider.id, route);
    for (const [, content] of casesOf(hostile(firing), hostile(end))) {
      const text = textOf(provider, route, content);
      expect(text.length).toBeLessThanOrEqual(2_000);
      expect(text.replaceAll(/https:\S+/g, '')).not.toMatch(/\*big\*|_soft_|~gone~|x{300}/);
    }
  },
);

rule(
  'what messages of starters say names an item that has nothing in it, and the problem in the built-in text',
  ROUTES,
  async (_, one, route) => {
    const [firing, end] = await pairOf(one.id, route);
    const nothing = elementOf(firing, 1, false, '{}');
    expect(textOf(one, route, { firing: [nothing], new: [nothing], resolved: [] })).toMatch(/^[🔥❌] \*\w/u);
    const content = { firing: [elementOf(firing, 1, false)], resolved: [elementOf(end, 1, true)] };
    const title = /• (.+)/.exec(builtInText(content, compiledSource(one, 'en-GB').locale, 4_096))?.[1];
    const scope = notificationScope({ ...content, new: [], max: 1, single: false }, { at: '', source: '' });
    expect(title).toBeDefined();
    expect([firing.key, scope.event.type]).not.toContain(title);
  },
);

/** A problem that is over by an end, or is open, under a key of its own. */
const another = (item: SampleItem): SampleItem => ({ ...item, key: `${item.key} too` });
const CALM = /✅/;
const LOUD = /🔥/;

rule(
  'two problems in one state are told as one of them is: no all-clear unless all are over, and nothing is said to fire that does not',
  ROUTES,
  async (_, provider, route) => {
    const items = (await allItemsOf(provider)).filter(
      (item) => item.route === route && item.holder === undefined,
    );
    const ends = items.filter(({ isResolved }) => isResolved);
    const told = (resolved: readonly SampleItem[], firing: readonly SampleItem[] = []): string => {
      const open = firing.map((item) => elementOf(item, 1, false));
      const over = resolved.map((item) => elementOf(item, 1, true));
      return textOf(provider, route, { firing: open, new: open, resolved: over });
    };
    const isClear = (item: SampleItem): boolean => CALM.test(told([item]));
    for (const end of ends) {
      expect(CALM.test(told([end, another(end)]))).toBe(isClear(end));
      for (const other of ends)
        expect(CALM.test(told([end, another(other)]))).toBe(isClear(end) && isClear(other));
    }
    for (const firing of items.filter(({ isResolved }) => !isResolved)) {
      const [alone, both] = [told([], [firing]), told([], [firing, another(firing)])];
      expect([LOUD.test(both), CALM.test(alone + both)]).toEqual([LOUD.test(alone), false]);
      const [one = '', two = ''] = [alone, both].map((text) => text.replaceAll('*', '').split('\n')[0]);
      expect(/ (?:firing|down)$/.test(two)).toBe(/ is (?:firing|down)$/.test(one));
    }
  },
);

rule(
  'a storm has the text of its starter, which names the first ones and counts the rest; one that is not over is no all-clear',
  ROUTES,
  async (_, provider, route) => {
    const [firing, end] = await pairOf(provider.id, route);
    const [open = [], over = []] = [firing, end].map((item) =>
      Array.from({ length: 1_000 }, () => elementOf(item, 1, item === end)),
    );
    expect(textOf(provider, route, { firing: open, new: open, resolved: over })).toMatch(/\n.* 99[56] /);
    const [all, one] = [over, over.slice(0, 1)].map((resolved) =>
      CALM.test(textOf(provider, route, { firing: [], new: [], resolved })),
    );
    expect(all).toBe(one);
  },
);

/** The same with a stranger's words wherever there are any, but for addresses. */
const hostile = (item: SampleItem): SampleItem => ({
  ...item,
  value: JSON.stringify(JSON.parse(item.value), (key, value: unknown) =>
    typeof value === 'string' && !/url|link|arn/i.test(key)
      ? `*big* _soft_ ~gone~ ${'x'.repeat(500)}`
      : value,
  ),
});
