import { DAY, MINUTE } from '../../lib/time.ts';
import { firstReached, hoursOf, localDay, spanOn, type Hours } from './hours.ts';
import type { OverrideDocument, RotationDocument, RecipientsDocument } from '../documents/alerting-schema.ts';

/** The turns of people. A turn changes when the zone's clock first shows the time, or skips it, as with hours. */
export type Rotation = Readonly<ReturnType<typeof rotationOf>>;

/** A time for which somebody takes the place of whoever has the turn (ms). */
export interface Override {
  readonly person: string;
  readonly from: number;
  readonly to: number;
}

/** A period in which a person is on call (ms). A time is null if it is too far away to be known. */
export type OnCallPeriod = Readonly<ReturnType<typeof onCallAt>>;

/** `byHand`: the overrides that people made, in that order. A later one replaces earlier ones, and those of the document. */
export function rotationOf(document: RotationDocument, byHand: readonly Override[] = []) {
  const { order, every, from, timezone, shifts = [], overrides = [] } = document;
  const planned = overrides.map((one) => overrideOf(one, timezone));
  return {
    timezone,
    order,
    everyMs: every * DAY,
    /** When the first turn begins (ms, as if the zone were UTC). The order continues backwards before that. */
    from: localMs(from),
    /** Hours of the day that other people have. The first shift that matches counts. */
    shifts: shifts.map((shift) => ({ hours: hoursOf(shift, timezone), order: shift.order })),
    /** Overrides come before everything else, and do not overlap. */
    overrides: [...planned, ...byHand].reduce<readonly Override[]>(
      (earlier, one) => [...earlier.flatMap((other) => outside(other, one)), one],
      [],
    ),
  };
}

export const overrideOf = ({ person, from, to }: OverrideDocument, timezone: string): Override => {
  const instant = (local: string): number => firstReached(timezone, localMs(local));
  return { person, from: instant(from), to: instant(to) };
};

const outside = (one: Override, { from, to }: Override): readonly Override[] =>
  [
    { ...one, to: Math.min(one.to, from) },
    { ...one, from: Math.max(one.from, to) },
  ].filter((part) => part.from < part.to);

const localMs = (text: string): number => Date.parse(`${text}Z`);

/** After this many further turns of the same person, besides overrides, the period counts as endless. */
const MAX_TURNS = 60;

export function onCallAt(rotation: Rotation, at: number) {
  const person = personAt(rotation, at);
  const { order, shifts, overrides } = rotation;
  const others = [order, ...shifts.map((shift) => shift.order), overrides.map((one) => one.person)].flat();
  if (others.every((other) => other === person)) return { person, since: null, until: null };
  const most = MAX_TURNS + 2 * overrides.length;
  let [since, until]: [number | null, number | null] = changesAround(rotation, at);
  for (let turns = 0; until !== null && personAt(rotation, until) === person; turns++)
    until = turns < most ? changesAround(rotation, until)[1] : null;
  for (let turns = 0; since !== null && personAt(rotation, since - 1) === person; turns++)
    since = turns < most ? changesAround(rotation, since - 1)[0] : null;
  return { person, since, until };
}

export function onCallBetween(rotation: Rotation, from: number, to: number, max: number) {
  const spans: OnCallPeriod[] = [];
  for (let at: number | null = from; at !== null && at < to && spans.length < max;) {
    const span = onCallAt(rotation, at);
    spans.push(span);
    at = span.until;
  }
  return spans;
}

function personAt({ order, shifts, overrides, ...rotation }: Rotation, at: number): string {
  const override = overrides.find(({ from, to }) => from <= at && at < to);
  if (override !== undefined) return override.person;
  for (const { hours, order: people } of shifts) {
    const today = localDay(hours, at);
    const begun = [today + 1, today, today - 1].find((day) => {
      const [begin = Infinity, end = Infinity] = spanOn(hours, day);
      return begin <= at && at < end;
    });
    // A person who has the turn when a shift begins has the whole shift.
    if (begun !== undefined) return inTurn(people, turnAt(rotation, begun * DAY + hours.from * MINUTE));
  }
  return inTurn(order, turnNow(rotation, at));
}

const inTurn = (people: readonly string[], turn: number): string => {
  const { length } = people;
  return people[((turn % length) + length) % length] ?? '';
};

type TurnTimes = Pick<Rotation, 'from' | 'everyMs' | 'timezone'>;

/** The number of the turn of a local time, from 0. */
const turnAt = ({ from, everyMs }: TurnTimes, local: number): number => Math.floor((local - from) / everyMs);

const beginOf = ({ from, everyMs, timezone }: TurnTimes, turn: number): number =>
  firstReached(timezone, from + turn * everyMs);

function turnNow(rotation: TurnTimes, at: number): number {
  // Starts a day earlier, whatever the offset is. It takes at most three steps, if turns are a day long.
  let turn = turnAt(rotation, at - DAY);
  while (beginOf(rotation, turn + 1) <= at) turn += 1;
  return turn;
}

/** The last change up to now, and the next one (ms). Between them, the same person is on call. */
function changesAround({ shifts, overrides, ...rotation }: Rotation, at: number): [number, number] {
  const turn = turnNow(rotation, at);
  const times = [
    beginOf(rotation, turn),
    beginOf(rotation, turn + 1),
    ...overrides.flatMap(({ from, to }) => [from, to]),
    ...shifts.flatMap(({ hours }) => shiftsAround(hours, at)),
  ];
  return [Math.max(...times.filter((one) => one <= at)), Math.min(...times.filter((one) => one > at))];
}

/** The times when a shift begins and ends. The last one up to now and the next one are among them (ms). */
function shiftsAround(hours: Hours, at: number): readonly number[] {
  const today = localDay(hours, at);
  const before: number[] = [];
  // In any two weeks the shift has at least one day, even if the zone skips a day.
  for (let day = today + 1; day > today - 15 && !before.some((time) => time <= at); day--)
    before.push(...spanOn(hours, day));
  const after: number[] = [];
  for (let day = today + 2; day < today + 15 && after.length === 0; day++) after.push(...spanOn(hours, day));
  return [...before, ...after];
}

/** An override that a person made by a command: it is beside the set, as a silence is. */
export interface OverrideByHand {
  readonly id: string;
  readonly list: string;
  readonly person: string;
  readonly since: string;
  readonly until: string;
  readonly by: string;
  readonly created_at: string;
  /** The time when a person ended it early, or a publish did. */
  readonly ended_at?: string;
  /** True if it was ended by a publish, since the list does not have the person any more. */
  readonly is_gone?: boolean;
}

/** An override by hand as a published set has it. */
export interface ListedOverride extends Override {
  readonly list: string;
}

/** One that was ended early lasted until then, so that whoever has the turn takes over from it. */
export function listedOverride({ list, person, since, until, ended_at }: OverrideByHand): ListedOverride {
  return { list, person, from: Date.parse(since), to: Date.parse(ended_at ?? until) };
}

/** The turns of a list, with the overrides by hand, in the order in which they were made. Null if its people take no turns. */
export function turnsOfList(list: string, document: RecipientsDocument, all: readonly ListedOverride[]) {
  const { people = {}, rotation } = document;
  if (rotation === undefined) return null;
  const own = all.filter((one) => one.list === list && Object.hasOwn(people, one.person));
  return rotationOf(rotation, own);
}
