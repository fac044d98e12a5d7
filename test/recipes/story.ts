/** A webhook without its signature, as its sender makes it at a time. */
export interface Webhook {
  readonly source: string;
  /** The event, for people: `order #1042 is paid`. */
  readonly what: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: (at: Date) => string;
}

/** A webhook, and when it arrives: `Mon 09:12`, by the clock in Berlin. */
export interface Post extends Webhook {
  readonly at: string;
}

/** A week of a recipe. */
export interface Story {
  readonly recipe: string;
  /** The source that was chosen of those that the recipe has for one thing. */
  readonly chosen?: string;
  /** True if customers get messages, too. */
  readonly customers?: true;
  readonly locale?: string;
  /** Whose phones they are, by number. `ntfy`: the account's channel. */
  readonly phones: Readonly<Record<string, string>>;
  readonly posts: readonly Post[];
}

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Monday, midnight in Berlin, of a week in which no clocks change. */
export const MONDAY = Date.UTC(2026, 2, 1, 23);

/** `Tue 09:05` or `Tue 09:05:30` in ms since 1970. */
export function momentOf(text: string): number {
  const [, day = '', hour, minute, second = '0'] = /^(\w{3}) (\d\d):(\d\d)(?::(\d\d))?$/.exec(text) ?? [];
  const index = DAYS.findIndex((one) => one === day);
  if (index < 0) throw new Error(`not a moment such as Mon 09:12: ${text}`);
  return (
    MONDAY + index * DAY_MS + Number(hour) * HOUR_MS + Number(minute) * MINUTE_MS + Number(second) * 1_000
  );
}

/** The moment as a person says it. */
export function clock(at: number): string {
  const since = at - MONDAY;
  const time = new Date(since % DAY_MS).toISOString().slice(11, 16);
  return `${DAYS[Math.floor(since / DAY_MS)] ?? '?'} ${time}`;
}

/** A webhook that arrives at a moment. */
export const at = (moment: string, webhook: Webhook): Post => ({ at: moment, ...webhook });

/** Many webhooks, the same time apart. */
export function storm(
  first: string,
  { count, everyMs }: { readonly count: number; readonly everyMs: number },
  webhook: (n: number) => Webhook,
): readonly Post[] {
  const start = momentOf(first);
  return Array.from({ length: count }, (_, n) => {
    const moment = start + n * everyMs;
    const second = String(Math.floor(((moment - MONDAY) / 1_000) % 60)).padStart(2, '0');
    return { at: `${clock(moment)}:${second}`, ...webhook(n) };
  });
}
