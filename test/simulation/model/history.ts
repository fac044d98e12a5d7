import { AlertsModel, type AlertRules } from './alerts.ts';
import type { Change } from './changes.ts';
import type { Link, Page } from './link.ts';
import type { ShownAlert, Statement } from './statement.ts';

export const PHONE = '4915122345601';
export const OTHER = '4915122345602';
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Noon in Berlin. */
export const NOON = Date.UTC(2026, 5, 1, 10);
export const RULES: AlertRules = {
  repeatMs: HOUR,
  quiet: null,
  throttle: null,
  inhibitor: null,
  expiresMs: null,
  takesTurns: false,
  isGrouped: false,
  pressedSilenceMs: HOUR / 2,
  steps: [],
  acknowledgedForMs: 7 * DAY,
};
export const QUIET: AlertRules = {
  ...RULES,
  repeatMs: null,
  quiet: { from: 22, to: 7, timezone: 'Europe/Berlin' },
};

/** The events at the phone of a test, and the rules that they break. */
export class History {
  readonly rules = new Set<string>();
  readonly model: AlertsModel;

  constructor(rules: AlertRules = RULES, failedUntil?: (from: number) => number | null) {
    this.model = new AlertsModel((rule) => void this.rules.add(rule), rules, failedUntil);
    this.model.members.joined(PHONE, -Infinity);
  }

  is(status: 'firing' | 'resolved', at: number, key = 'k1', more: Partial<Change> = {}): this {
    this.model.changes.said(key, { status, requestedAt: at, acceptedAt: at + 10, ...more });
    return this;
  }

  /** `+k1 =k2 -k3`, as the messages of the world say it. */
  shows(text: string, at: number, how: Partial<ShownAlert> = {}): this {
    const says = text.split(' ').map((word): Statement => ({
      key: word.slice(1),
      status: word.startsWith('-') ? 'resolved' : word.startsWith('~') ? 'flapping' : 'firing',
      isNew: word.startsWith('+'),
    }));
    this.model.called({
      at,
      phone: PHONE,
      says,
      isShown: true,
      isUncertain: false,
      isRefused: false,
      ...how,
    });
    return this;
  }

  /**
   * Tells what happens, each with a time after noon, or before it: `0 fires k1; 10s +k1 -k2; 2h ends k1`. A message may be
   * `lost`, `uncertain`, `refused`, of a `step`, and `to` somebody. `k1` may fire as a `warning`, or as something `outdated`; what `asks` for it is
   * refused, or not answered. A `silence` of k1, or of its
   * warnings, has an end: `0 silences k1 2h`. Somebody has `left`, has `joined` or has the `turn`. An object is `gone`, messages
   * had to `wait`, it is `looked` whether something is late. Presses: {@link #presses}. Ben `hears` that Anna has k1, or had it
   * and gave it `back`. Somebody `renames` the route for five minutes; a `farewell` says what was resolved (`-k1`), or is not
   * watched any more (`?k1`).
   */
  tell(story: string): this {
    for (const event of story.split(';').map((one) => one.trim())) {
      const [time = '', verb = '', ...words] = event.split(' ');
      this.#happens(timeOf(time), verb, words);
    }
    return this;
  }

  #happens(at: number, verb: string, words: readonly string[]): void {
    const { members, holds } = this.model;
    const [key = '', more = ''] = words;
    if (verb === 'fires')
      this.is('firing', at, key, {
        ...((more === 'warning' || more === 'critical') && { severity: more }),
        mayBeOutdated: words.includes('outdated'),
      });
    else if (verb === 'asks')
      this.model.changes.said(key, { status: 'firing', requestedAt: at, acceptedAt: null });
    else if (verb === 'ends') this.is('resolved', at, key);
    else if (verb === 'left') members.left(phoneOf(key), at);
    else if (verb === 'joined') members.joined(phoneOf(key), at);
    else if (verb === 'turn') members.hasTurn(phoneOf(key), at);
    else if (verb === 'silences') holds.silenced(key, at, timeOf(more), words.includes('warnings'));
    else if (verb === 'gone') this.model.lost(at);
    else if (verb === 'waits') this.model.heldUp(at);
    else if (verb === 'looked') this.model.flows(at);
    else if (verb === 'renames') this.model.renames.begins(at).until = at + 5 * MINUTE;
    else if (verb === 'farewell') this.#saysFarewell(at, words);
    else if (verb in PAGES) this.#presses(at, verb, words);
    else if (verb === 'hears')
      this.model.noticed({
        at,
        phone: words.includes('me') ? PHONE : OTHER,
        who: 'Anna',
        isBack: words.includes('back'),
        keys: ['k1'],
        isShown: true,
        isUncertain: words.includes('uncertain'),
        isRefused: false,
      });
    else {
      const says = [verb, ...words].filter((word) => /^[+=~-]/.test(word));
      if (says.length === 0) throw new Error(`nothing happens: ${verb}`);
      const isShown = !words.includes('lost') && !words.includes('refused');
      const to = words[words.indexOf('to') + 1] ?? '';
      this.shows(says.join(' '), at, {
        isShown,
        isUncertain: words.includes('uncertain'),
        isRefused: words.includes('refused'),
        ...(words.includes('step') && { isOfStep: true }),
        ...(words.includes('to') && { phone: phoneOf(to) }),
      });
    }
  }

  #saysFarewell(at: number, words: readonly string[]): void {
    const those = (sign: string): readonly string[] =>
      words.flatMap((word) => (word.startsWith(sign) ? [word.slice(1)] : []));
    const unwatched = those('?');
    this.model.saidFarewell({
      at,
      phone: PHONE,
      resolved: those('-'),
      unwatched,
      count: unwatched.length,
      isShown: true,
      isUncertain: false,
      isRefused: false,
      missed: { resolved: 0, expired: 0 },
    });
  }

  /**
   * Anna `presses` her link, or `ben` his, to acknowledge k1 or to do something else. The answer is there after a second, or is
   * `pending` until it has `answered`; nobody sees it if it is `lost`. Somebody `reads` the page later, or `undoes` the first press
   * of the link, and that is `undone` at once, too. What a page says is expected unless it `sees` something else.
   * A link of five incidents may be about more than these.
   */
  #presses(at: number, verb: string, words: readonly string[]): void {
    const { presses } = this.model;
    const token = words.find((word) => word === 'ben' || word === 'both') ?? 'anna';
    const own = token === 'ben' ? { phone: OTHER, by: 'Ben' } : {};
    const action = (['resolve', 'silence'] as const).find((one) => words.includes(one)) ?? 'ack';
    const keys = words.find((word) => /^k\d/.test(word))?.split(',') ?? ['k1'];
    const press =
      verb === 'presses'
        ? presses.begins({ ...linkOf({ token, action, keys, isWide: keys.length >= 5 }), ...own }, at)
        : presses.all.find(({ link }) => link.token === token);
    if (press === undefined) throw new Error(`nobody has pressed: ${token}`);
    if (verb === 'undoes') presses.takesBack(press, at);
    if (words.includes('pending')) return;
    const page = pageOf(words.includes('sees') ? words.at(-1) : PAGES[verb]);
    if (verb === 'reads') presses.looks(press, page, at);
    else if (words.includes('lost')) presses.gaveUp(press, at + MINUTE);
    else if (verb === 'presses') presses.answered(press, page, { at: at + 1_000, isLost: false });
    else if (verb === 'answered') presses.answered(press, page, { at, isLost: false });
    else
      presses.tookBack(press, page, {
        at: verb === 'undoes' ? at + 1_000 : at,
        isLost: false,
        clockOffMs: 0,
      });
  }

  /** `has`: who has what, as the API says. */
  broken(open: readonly string[] = [], has: Readonly<Record<string, string>> = {}): readonly string[] {
    this.model.atQuiet(new Set(open), new Map(Object.entries(has)), NOON + 2 * DAY);
    return [...this.rules];
  }
}

/** The rules that a story breaks. */
export const brokenBy = (story: string, rules: AlertRules = RULES): readonly string[] => [
  ...new History(rules).tell(story).rules,
];

/** A story, and the rules that it breaks. */
export type Told = readonly [story: string, ...broken: string[]];

/** The stories with the rules that each breaks after what came before. */
export const judged = (rows: readonly Told[], rules: AlertRules = RULES, before = ''): readonly Told[] =>
  rows.map(([story]) => [story, ...brokenBy(before + story, rules)]);

/** The same, when all is quiet and the API says that these are open. */
export const brokenAtQuiet = (
  story: string,
  open: readonly string[] = [],
  rules: AlertRules = RULES,
): readonly string[] => new History(rules).tell(story).broken(open);

const PHONES: Readonly<Record<string, string>> = {
  me: PHONE,
  ben: OTHER,
  dora: '4915142345604',
  finn: '4915142345606',
};
export const phoneOf = (name: string): string => PHONES[name] ?? name;

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: MINUTE, h: HOUR };

/** `1.5h`, `-30m` or `0` after noon; `ever` after it, or `-ever` before. */
function timeOf(text: string): number {
  if (text.endsWith('ever')) return text === 'ever' ? Infinity : -Infinity;
  const [, number = '', unit = 's'] = /^(-?[\d.]+)([smh]?)$/.exec(text) ?? [];
  if (number === '') throw new Error(`no time: ${text}`);
  return NOON + Number(number) * (UNITS[unit] ?? UNITS['s'] ?? 0);
}

/** What happens to presses, and what a page says then. */
const PAGES: Readonly<Record<string, string>> = {
  presses: 'own',
  answered: 'own',
  reads: 'own',
  undoes: 'open',
  undone: 'open',
};

const pageOf = (says = ''): Page =>
  says === 'own' || says === 'open' || says === 'resolved' || says === 'dead'
    ? { kind: says }
    : { kind: says.startsWith('taken:') ? 'taken' : 'other', who: says.replace('taken:', '') };

/** Anna's link to acknowledge k1. */
const linkOf = (link: Partial<Link>): Link => ({
  token: 'anna',
  action: 'ack',
  phone: PHONE,
  by: 'Anna',
  keys: ['k1'],
  isWide: false,
  order: null,
  ...link,
});
