import { AlertsModel, type AlertRules } from './alerts.ts';
import type { ShownAlert, Statement } from './statement.ts';

export const PHONE = '4915122345601';
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
};
export const QUIET: AlertRules = {
  ...RULES,
  repeatMs: null,
  quiet: { from: 22, to: 7, timezone: 'Europe/Berlin' },
};

/** What happens to the phone of a test, and which rules it breaks. */
export class History {
  readonly rules = new Set<string>();
  readonly model: AlertsModel;

  constructor(rules: AlertRules = RULES, failedUntil?: (from: number) => number | null) {
    this.model = new AlertsModel((rule) => void this.rules.add(rule), rules, failedUntil);
    this.model.members.joined(PHONE, -Infinity);
  }

  is(status: 'firing' | 'resolved', at: number, key = 'k1'): this {
    this.model.changes.said(key, { status, requestedAt: at, acceptedAt: at + 10 });
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

  broken(open: readonly string[] = []): readonly string[] {
    this.model.atQuiet(new Set(open), NOON + 2 * DAY);
    return [...this.rules];
  }
}
