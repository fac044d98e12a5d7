import { AlertsModel, type AlertRules } from './alerts.ts';
import type { Severity } from './changes.ts';
import type { Notice } from './holders.ts';
import type { Link, Page } from './link.ts';
import type { Press } from './press.ts';
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

  is(status: 'firing' | 'resolved', at: number, key = 'k1', severity?: Severity): this {
    const said = { status, requestedAt: at, acceptedAt: at + 10, ...(severity && { severity }) };
    this.model.changes.said(key, said);
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

  /** Somebody presses a link of this phone, and sees this page after a second. */
  pressed(link: Partial<Link>, at: number, page: Page = { kind: 'own' }, isLost = false): Press {
    const { presses } = this.model;
    const press = presses.begins(linkOf(link), at);
    presses.answered(press, page, { at: at + 1_000, isLost });
    return press;
  }

  /** Takes a press back, and sees this page after a second. */
  tookBack(press: Press, at: number, page: Page = { kind: 'open' }): this {
    const { presses } = this.model;
    presses.takesBack(press, at);
    presses.tookBack(press, page, { at: at + 1_000, isLost: false, clockOffMs: 0 });
    return this;
  }

  /** The other one hears that Anna has it, or has it no more. */
  hears(at: number, what: Partial<Notice> = {}): this {
    this.model.noticed({
      at,
      phone: OTHER,
      who: 'Anna',
      isBack: false,
      keys: ['k1'],
      isShown: true,
      isUncertain: false,
      isRefused: false,
      ...what,
    });
    return this;
  }

  /**
   * Tells what happens, each with a time after noon, or before it: `0 fires k1; 10s +k1 -k2; 2h ends k1`. A message may be
   * `lost`, `uncertain`, `refused`, of a `step`, and `to` somebody. `k1` may fire as a `warning`. A `silence` of k1, or of its
   * warnings, has an end: `0 silences k1 2h`. Somebody has `left`, has `joined` or has the `turn`. An object is `gone`, messages
   * had to `wait`, it is `looked` whether something is late.
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
      this.is('firing', at, key, more === 'warning' || more === 'critical' ? more : undefined);
    else if (verb === 'ends') this.is('resolved', at, key);
    else if (verb === 'left') members.left(phoneOf(key), at);
    else if (verb === 'joined') members.joined(phoneOf(key), at);
    else if (verb === 'turn') members.hasTurn(phoneOf(key), at);
    else if (verb === 'silences') holds.silenced(key, at, timeOf(more), words.includes('warnings'));
    else if (verb === 'gone') this.model.lost(at);
    else if (verb === 'waits') this.model.heldUp(at);
    else if (verb === 'looked') this.model.flows(at);
    else if (verb === 'presses') this.pressed(key === '' ? {} : { keys: [key] }, at);
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

/** `1.5h`, `-30m` or `0` after noon; `ever`. */
function timeOf(text: string): number {
  if (text === 'ever') return Infinity;
  const [, number = '', unit = 's'] = /^(-?[\d.]+)([smh]?)$/.exec(text) ?? [];
  if (number === '') throw new Error(`no time: ${text}`);
  return NOON + Number(number) * (UNITS[unit] ?? UNITS['s'] ?? 0);
}

/** Anna's link to acknowledge k1. */
export const linkOf = (link: Partial<Link> = {}): Link => ({
  token: 'token',
  action: 'ack',
  phone: PHONE,
  by: 'Anna',
  keys: ['k1'],
  isWide: false,
  order: null,
  ...link,
});
