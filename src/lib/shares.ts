/**
 * Who may use how much of what an account has in common: a receiver's hour, the pace, first contacts, open incidents,
 * memory. Sources that cannot prove their sender, so that anybody may post, have a part of what is free; signed ones a
 * larger one; and what is urgent has a reserve that nobody else takes. docs/guarantees.md has the table.
 */

/**
 * What a message or an incident is to the shares. `urgent`: `priority: high`, of a source that proves its sender, or sent
 * by hand. `open`: anybody may have written it, whatever its priority.
 */
export const STANDINGS = ['signed', 'urgent', 'open'] as const;
export type Standing = (typeof STANDINGS)[number];

/** Rows have a standing as its place in {@link STANDINGS}. */
export const numberOf = (standing: Standing): number => STANDINGS.indexOf(standing);

export const byStanding = <Part>(of: (standing: Standing) => Part): Readonly<Record<Standing, Part>> => ({
  urgent: of('urgent'),
  signed: of('signed'),
  open: of('open'),
});

/** The standing of a row; `signed` for a number that only a later deploy knows. */
export const standingIn = ({ standing }: { readonly standing: number }): Standing =>
  STANDINGS[standing] ?? 'signed';

export const standingOf = (isOpen: boolean, priority: 'normal' | 'high'): Standing =>
  isOpen ? 'open' : priority === 'high' ? 'urgent' : 'signed';

/** A receiver's hour: open sources have half of it; urgent messages have as many beside it, which nobody else takes. */
export const hourOf = (standing: Standing, perHour: number): number =>
  standing === 'open' ? half(perHour) : perHour;

/** The part of a minute's sends that a message leaves to others: a tenth, at least one of two. */
export const leftOfMinute = (standing: Standing, perMinute: number): number =>
  standing === 'open' && perMinute > 1 ? Math.ceil(perMinute / 10) : 0;

/** The same of a burst: half, three at most. One of them is always there for an urgent message. */
export const leftOfBurst = (standing: Standing, burst: number): number =>
  standing === 'urgent' || burst === 1 ? 0 : standing === 'signed' ? 1 : Math.min(3, Math.ceil(burst / 2));

/** The calls under way: open sources leave a third to others. */
export const connectionsOf = (standing: Standing, size: number): number =>
  standing === 'open' ? Math.floor((size * 2) / 3) : size;

/** The calls of one run of an alarm: open sources leave a sixth to others, whatever answer they wait for. */
export const leftOfRun = (standing: Standing, calls: number): number =>
  standing === 'open' ? Math.floor(calls / 6) : 0;

/** The failed calls in a row that open the circuit: one open source gives at most half of them. */
export const failuresOf = (standing: Standing, failures: number): number =>
  standing === 'open' ? Math.floor(failures / 2) : failures;

/** First contacts of a day. Urgent messages are not limited. */
export const contactsOf = (standing: Standing, perDay: number): number =>
  standing === 'urgent' ? Infinity : standing === 'open' ? Math.max(1, Math.floor(perDay / 3)) : perDay;

/** What is open: of who has one more (a source; of what is urgent, a route), of all open sources, and in all. */
type Held = Readonly<{ own: number; open: number; all: number }>;

/**
 * True if there is room for one more: a source may hold three quarters of what others leave it. A tenth of the room is
 * for what is urgent alone; all open sources together have a third of what signed ones leave of the rest.
 */
export function mayHold(standing: Standing, { own, open, all }: Held, room: number): boolean {
  const isOpen = standing === 'open';
  const normal = room * 0.9;
  const total = isOpen ? (normal - (all - open)) / 3 : standing === 'urgent' ? room : normal;
  return own < ((total - ((isOpen ? open : all) - own)) * 3) / 4;
}

const MIB = 1_048_576;

/** The memory of an isolate that webhooks under way may use (bytes). Bodies above 1 MiB, and those that arrive, leave some. */
export const MEMORY = { open: 32 * MIB, arriving: 32 * MIB, large: 48 * MIB, all: 64 * MIB } as const;

/** The share of a disk from which on nothing is accepted, of open sources and of others, nor anything urgent queued. */
export const DISK = { open: 0.9, all: 0.95, urgent: 0.98 } as const;

/** Writes to KV that what people press may cause in a day before it has to wait longer; the free plan has 1,000. */
const KV_WRITES = 300;

/**
 * The time between two writes to KV of what changes beside the set (ms), after `writes` of the day: with 10 minutes, a
 * day has 144 more, and the rest is for those who publish.
 */
export const kvIntervalMs = (writes: number): number => (writes < KV_WRITES ? 10_000 : 600_000);

/**
 * What an isolate may report of posts to addresses that no source has, apart for names like a source's and for others, so
 * that no flood of one hides the other: names at once, and reports; each writes a row for each name.
 */
export const STRAYS = { names: 8, reports: 10, everyMs: 600_000 } as const;

const half = (of: number): number => Math.max(1, Math.floor(of / 2));
