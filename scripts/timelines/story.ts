/** Something that a monitor posts. */
export interface Post {
  /** After the beginning of the story (ms). */
  readonly at: number;
  /** The problem, which is the incident's key. */
  readonly name: string;
  readonly is: 'firing' | 'resolved';
}

/** A time that the picture shows as an area. */
export interface Span {
  readonly label: string;
  /** After the beginning of the story (ms). */
  readonly from: number;
  readonly to: number;
}

/** A series of events, and the rules by which receivers are notified of it. */
export interface Story {
  /** The picture's file: `docs/alerts/{name}.svg`. */
  readonly name: string;
  readonly title: string;
  /** The rule as documents write it, as the picture shows it. */
  readonly rule: string;
  /** Keys of the route, and of the list of its receivers. */
  readonly route: object;
  readonly list?: object;
  /** The time of its begin, `HH:MM`. */
  readonly begins: string;
  /** The end of the picture (ms). */
  readonly lasts: number;
  readonly posts: readonly Post[];
  readonly spans?: readonly Span[];
  /** True if the spans are silences. */
  readonly isSilenced?: true;
}

const UNITS = { s: 1_000, m: 60_000, h: 3_600_000 };

/** `1h30m` in ms. */
export function ms(text: string): number {
  let sum = 0;
  for (const [, n, unit] of text.matchAll(/(\d+)([smh])/g))
    sum += Number(n) * (unit === 's' || unit === 'm' || unit === 'h' ? UNITS[unit] : 0);
  return sum;
}

/** `web-1: +0s -5m`: it fires at once, and resolves after five minutes. */
export function posts(lines: readonly string[]): readonly Post[] {
  return lines
    .flatMap((line) => {
      const [name = '', times = ''] = line.split(': ');
      return times.split(' ').map((time) => ({
        at: ms(time),
        name,
        is: time.startsWith('-') ? ('resolved' as const) : ('firing' as const),
      }));
    })
    .toSorted((one, other) => one.at - other.at);
}
