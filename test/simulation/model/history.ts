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

  /** `has`: who has what, as the API says. */
  broken(open: readonly string[] = [], has: Readonly<Record<string, string>> = {}): readonly string[] {
    this.model.atQuiet(new Set(open), new Map(Object.entries(has)), NOON + 2 * DAY);
    return [...this.rules];
  }
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
