import { expect } from 'vitest';
import type { DraftItem, HolderChange } from '../../../src/outbox/state/acceptance.ts';
import { inStorage } from '../in-storage.ts';
import { IncidentsBench, item, PHONE, route, setOf, type CallEnds } from './bench.ts';

export const ANNA = PHONE;
export const BEN = '4915112345679';
export const CARL = '4915112345680';
export const BOSS = '4915112345681';

const PHONES = new Map([
  ['anna', ANNA],
  ['ben', BEN],
  ['carl', CARL],
  ['boss', BOSS],
]);
const NAMES = new Map([...PHONES].map(([name, phone]) => [phone, name]));

/** A configuration: the routes of the source `alerts`, and what else the set has. */
export interface Published {
  readonly routes?: readonly object[];
  readonly set?: object;
}

/** Where a story takes place. */
export interface Scene extends Published {
  /** What a story can publish, by name. Routes or a set that are absent are as at first. */
  readonly published?: Readonly<Record<string, Published>>;
  /** What items have besides their name. */
  readonly items?: (name: string) => Partial<DraftItem>;
  /** The time at which the story begins (UTC, `23:00`); absent: noon. */
  readonly at?: string;
  /** Makes a text shorter, as the story tells it. */
  readonly short?: (text: string) => string;
}

/** Tells what happens and, at the end of each line after `>`, the messages that are sent by it. */
export type Tell = (strings: TemplateStringsArray, ...values: readonly string[]) => Promise<void>;

/**
 * A story, line by line; of what happens in a line, parted by `;`, only the last sends anything:
 *
 * - `+a -b @anna @ben`: one event, in which `a` fires and `b` is resolved, for these (absent: for Anna); `+cluster/eu`
 *   is of the route `cluster`, `+a*9` are `a0` to `a8`; `+a~11:58`: so since then, by its sender's clock, `+a~now11:58` by that of its arrival; `!a`: its sender
 *   says that Lea has it, `?a`: that she has it no longer; `post a`: an item without an incident; `replay 12:00 -a`: as it came at that time
 * - `5m`, `07:00`: time passes, for so long or until then; `after 5m`: nothing is sent before; `jump 5m`: no alarm rings
 * - `pause`, `go`: nothing is sent, until then; `calls failed`: so calls end from now on; `calls pending`: they do not,
 *   until `end sent`, or `no call`; `retry`
 * - `restart`; `crash`: with what comes after a start
 * - `publish night`, `opt out anna`, `ack anna disk`, `back anna disk`, `close disk`, `cancel 1`, `expire 1`; `run`: it looks for what is due
 * - `outcomes`, `states` and `whys` (of messages), `open`, `nobody` (was there for a step): what is so, after `>`
 *
 * Messages are parted by `|`, those of each person in their order. `ben:` comes before those to others than Anna, and
 * `…` is any text.
 */
export const story =
  (scene: Scene): Tell =>
  (strings, ...values) =>
    staged(scene, (_, tell) => tell(strings, ...values));

/** The same with code between the lines. */
export const staged = (
  scene: Scene,
  body: (one: IncidentsBench, tell: Tell, storage: DurableObjectStorage) => Promise<void>,
): Promise<void> =>
  inStorage(async ({ storage }) => {
    const { routes = [route()], set = {}, at } = scene;
    const one = new IncidentsBench(storage, setOf(routes, set));
    if (at !== undefined) one.now = timeOf(at, one.now);
    const told = new Set<number>();
    const tell: Tell = async (strings, ...values) => {
      const expected = linesOf(String.raw({ raw: strings }, ...values));
      const actual: string[] = [];
      for (const line of expected) {
        const found = await lineOf({ one, scene, told }, line);
        actual.push(isLike(found, line) ? line : found);
      }
      expect(actual).toEqual(expected);
    };
    await body(one, tell, storage);
  });

/** What stands in for nothing is left out. */
const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => {
      const [deeds = '', ...shown] = line.replace(/\s+/g, ' ').split(' > ');
      const done = deeds.split(';').map((deed) => deed.trim());
      return [done.filter((deed) => deed !== '').join('; '), ...shown].join(' > ').trim();
    })
    .filter((line) => line !== '');

/** The line as it turns out. */
async function lineOf(stage: Stage, line: string): Promise<string> {
  const [deeds = ''] = line.split(' > ');
  const parts: string[] = [];
  for (const deed of deeds.split('; ')) {
    const shown = await happen(stage, deed);
    parts.push(shown === '' ? deed : `${deed} > ${shown}`);
  }
  return parts.join('; ');
}

const isLike = (found: string, line: string): boolean =>
  new RegExp(`^${line.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&').replaceAll('…', '.*')}$`).test(found);

interface Stage {
  readonly one: IncidentsBench;
  readonly scene: Scene;
  /** The messages that were told of. */
  readonly told: Set<number>;
}

/** Returns what is to be seen of it. */
async function happen(stage: Stage, deed: string): Promise<string> {
  const { one } = stage;
  const [verb = '', ...words] = deed.split(' ');
  const state = STATES[deed];
  if (state !== undefined) return state(one);
  if (verb === 'after') {
    await one.pass(timeOf(words.join(' '), one.now) - 1 - one.now);
    const early = news(stage);
    await one.pass(1);
    return early === '' ? news(stage) : `too early: ${early}`;
  }
  const act = DEEDS[verb];
  if (act !== undefined) await act(one, words, stage.scene);
  else if (/^[-+!?]/.test(verb)) await one.take(...itemsOf(stage.scene, [verb, ...words]));
  else await one.pass(timeOf(deed, one.now) - one.now);
  return news(stage);
}

/** The messages that were sent since this was asked last. */
function news({ one, told, scene: { short = (text) => text } }: Stage): string {
  const fresh = one.messages.filter(({ seq, state }) => state === 'sent' && !told.has(seq));
  for (const { seq } of fresh) told.add(seq);
  return fresh
    .map(({ phone, text }) => ({
      name: NAMES.get(phone ?? '') ?? `${phone}`,
      text: short(text.trim().replace(/\s+/g, ' ')),
    }))
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
    .map(({ name, text }) => (name === 'anna' ? text : `${name}: ${text}`))
    .join(' | ');
}

const STATES: Readonly<Record<string, (one: IncidentsBench) => string>> = {
  outcomes: (one) => one.outcomes.join(' '),
  states: (one) => one.messages.map(({ state }) => state).join(' '),
  whys: (one) => one.messages.map(({ about }) => about?.why ?? '–').join(' '),
  nobody: (one) => one.nobody.join(', '),
  open: (one) => `${one.incidents.open.size}`,
};

type Act = (one: IncidentsBench, words: readonly string[], scene: Scene) => Promise<void> | void;

/** The name of an incident of the route `on-call`. */
export const refTo = (key: string) => ({ source: 'alerts', route: 'on-call', key });

const DEEDS: Readonly<Record<string, Act>> = {
  post: (one, names) => one.take(...names.map((name) => ({ value: JSON.stringify({ name }) }))),
  replay: (one, [time = '', ...words], scene) =>
    one.replay(timeOf(time, startOfDay(one.now)), ...itemsOf(scene, words)),
  jump: async (one, words) => {
    one.now = timeOf(words.join(' '), one.now);
    await one.run();
  },
  pause: (one) => {
    one.isSending = false;
  },
  go: async (one) => {
    one.isSending = true;
    await one.run();
  },
  calls: (one, words) => {
    one.ends = words[0] === 'pending' ? null : endOf(words);
  },
  end: (one, words) => one.end(endOf(words)),
  no: (one) => one.noCall(),
  retry: (one) => one.retry(),
  restart: (one) => one.restart(),
  crash: (one) => one.crash(),
  run: (one) => one.run(),
  publish: async (one, [name = ''], scene) => {
    const { routes = scene.routes ?? [route()], set = scene.set } = scene.published?.[name] ?? {};
    await one.publish(routes, set);
  },
  opt: (one, [, ...names]) => one.optOut(...names.map(phoneOf)),
  ack: (one, [by = '', ...keys]) => {
    for (const key of keys) one.incidents.change(refTo(key), 'acknowledged', by);
  },
  back: async (one, [by = '', ...keys]) => {
    for (const key of keys) one.incidents.change(refTo(key), 'given back', by);
    await one.run();
  },
  close: async (one, [key = '']) => {
    expect(one.incidents.change(refTo(key), 'resolved', 'token')).toBe(true);
    await one.run();
  },
  cancel: (one, [seq]) => one.cancel(Number(seq)),
  expire: (one, [seq]) => one.cancel(Number(seq), 'expired'),
};

const ENDS: readonly CallEnds[] = [
  'sent',
  'refused for good',
  'failed',
  'uncertain',
  'dead and uncertain',
  'left to a person',
];

function endOf(words: readonly string[]): CallEnds {
  const end = ENDS.find((one) => one === words.join(' '));
  if (end === undefined) throw new Error(`no end of a call: ${words.join(' ')}`);
  return end;
}

function phoneOf(name: string): string {
  const phone = PHONES.get(name);
  if (phone === undefined) throw new Error(`nobody: ${name}`);
  return phone;
}

function itemsOf(scene: Scene, words: readonly string[]): readonly Partial<DraftItem>[] {
  const phones = words.filter((word) => word.startsWith('@')).map((word) => phoneOf(word.slice(1)));
  return words
    .filter((word) => !word.startsWith('@'))
    .flatMap((word) => {
      const [, one = '', count = '0'] = /^(.+)\*(\d+)$/.exec(word) ?? [];
      return one === '' ? [word] : Array.from({ length: Number(count) }, (_, n) => `${one}${n}`);
    })
    .map((word) => {
      const [what = '', time] = word.slice(1).split('~');
      // `11:50`, `now11:50`, or `now11:50/11:54` of a clock that is fast.
      const [at, ahead] = time?.split('/') ?? [];
      const [name = '', ...routes] = what.split('/').toReversed();
      return item(name, {
        ...(phones.length > 0 && { phones }),
        ...(routes.length > 0 && { route: routes.join('/') }),
        ...scene.items?.(name),
        isResolved: word.startsWith('-'),
        ...(at !== undefined && {
          at: {
            ms: timeOf(at.replace('now', ''), DAY_BEGINS),
            isArrival: at.startsWith('now'),
            ...(ahead !== undefined && { ahead: timeOf(ahead, DAY_BEGINS) }),
          },
        }),
        ...(/^[!?]/.test(word) && { holder: { ...BY_LEA, isBack: word.startsWith('?') } }),
      });
    });
}

/** The day of a bench: times of senders are on it. */
const DAY_BEGINS = Date.UTC(2026, 6, 1);

const BY_LEA: Omit<HolderChange, 'isBack'> = {
  by: 'Lea',
  message: { locale: 'en', maxLength: 4_096, priority: 'normal', forget: false },
};

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `5m` or `1h 30m` after `now`, the next `07:00`, or a date with a time. */
function timeOf(text: string, now: number): number {
  if (text.includes('T')) return Date.parse(`${text}:00Z`);
  if (text.includes(':')) {
    const [hours = 0, minutes = 0] = text.split(':').map(Number);
    const time = startOfDay(now) + hours * 3_600_000 + minutes * 60_000;
    return time < now ? time + 86_400_000 : time;
  }
  const parts = text.split(' ').map((part) => /^(\d+)(ms|[smhd])$/.exec(part));
  return parts.reduce((time, part) => {
    if (part === null) throw new Error(`nothing happens: ${text}`);
    return time + Number(part[1]) * (UNITS[part[2] ?? ''] ?? 0);
  }, now);
}

const startOfDay = (now: number): number => now - (now % 86_400_000);
