import { table } from '../../scripts/page-section.ts';
import type { MessageKind } from '../../src/gateway/kinds.ts';
import { median } from './measure.ts';

/** The cost of one kind of message at one gateway. */
export interface KindCost {
  readonly kind: MessageKind;
  /** `itself`, a text in its place, or nothing, since it has no receiver. */
  readonly goesAs: 'itself' | 'text' | 'nothing';
  /** Processor time of making the request, in µs. */
  readonly micros: number;
  /** Request line, headers of the relay's own, body. */
  readonly bytes: number;
  /** HTTP calls that arrived for one message. */
  readonly calls: number;
}

/** The places at which a call is cut. */
export const CUTS = ['before it is read', 'after it is read', 'in the answer'] as const;
export type Cut = (typeof CUTS)[number];

/** Calls that were interrupted, and then repeated with the same message id. */
export interface Interrupted {
  readonly cut: Cut;
  readonly calls: number;
  /** Those whose outcome was `uncertain`. */
  readonly uncertain: number;
  /** Those that the phone got twice after the repeat. */
  readonly twice: number;
}

/** The costs and risks of one gateway. */
export interface MakerCost {
  readonly id: string;
  readonly kinds: readonly KindCost[];
  /** Processor time of reading an answer, in µs. */
  readonly successMicros: number;
  /** That of each failure. */
  readonly failureMicros: readonly number[];
  /** Messages a second through the client, of each round. */
  readonly perSecond: readonly number[];
  /** Processor time of a message in the client, in µs, of each round. */
  readonly messageMicros: readonly number[];
  /** The pace that an account has unless its document says otherwise. */
  readonly pace: { readonly perMinute: number; readonly burst: number };
  /** True if the request has the message's id in it. */
  readonly givesId: boolean;
  readonly interrupted: readonly Interrupted[];
}

const code = (text: string): string => `\`${text}\``;
const whole = (value: number): string => Math.round(value).toLocaleString('en-US');
const micros = (value: number): string =>
  value < 0.05 ? '< 0.1' : value < 9.95 ? value.toFixed(1) : whole(value);
const percent = (share: number): string => `${Math.round(share * 100)} %`;

/** Processor time and bytes of a request, by gateway and kind. `*`: a text in place of the kind. */
export const requestTable = (makers: readonly MakerCost[]): string =>
  table(
    ['`gateway:`', ...(makers[0]?.kinds.map(({ kind }) => kind) ?? [])],
    makers.map(({ id, kinds }) => [
      code(id),
      ...kinds.map(({ goesAs, micros: time, bytes }) =>
        goesAs === 'nothing' ? '' : `${micros(time)} µs, ${whole(bytes)} B${goesAs === 'text' ? ' *' : ''}`,
      ),
    ]),
  );

/** The HTTP calls of a message: `1`, or the least and the most of the kinds that are sent. */
export function callsOfMessage(kinds: readonly KindCost[]): string {
  const calls = kinds.filter(({ goesAs }) => goesAs !== 'nothing').map((kind) => kind.calls);
  const [least, most] = [Math.min(...calls), Math.max(...calls)];
  return least === most ? String(least) : `${least}–${most}`;
}

/** Answers, messages a second and the pace, by gateway. */
export const rateTable = (makers: readonly MakerCost[]): string =>
  table(
    [
      '`gateway:`',
      'a success, µs',
      'a failure, µs (slowest)',
      'HTTP calls of a message',
      'CPU of a message, µs',
      'messages/s, no pace',
      'its pace, messages/min (at once)',
    ],
    makers.map((maker) => [
      code(maker.id),
      micros(maker.successMicros),
      `${micros(median(maker.failureMicros))} (${micros(Math.max(...maker.failureMicros))})`,
      callsOfMessage(maker.kinds),
      whole(median(maker.messageMicros)),
      `${whole(median(maker.perSecond))} (${whole(Math.min(...maker.perSecond))}–${whole(Math.max(...maker.perSecond))})`,
      `${whole(maker.pace.perMinute)} (${whole(maker.pace.burst)})`,
    ]),
  );

/** The share of the calls that had arrived before they were cut, which the phone shows once after the repeat. */
export function safeShare(interrupted: readonly Interrupted[]): number {
  const arrived = interrupted.filter(({ cut }) => cut !== 'before it is read');
  const calls = arrived.reduce((sum, one) => sum + one.calls, 0);
  const twice = arrived.reduce((sum, one) => sum + one.twice, 0);
  return (calls - twice) / calls;
}

/** Interrupted calls and their repeats, by gateway. */
export const interruptedTable = (makers: readonly MakerCost[]): string =>
  table(
    [
      '`gateway:`',
      'message id in the request',
      ...CUTS.map((cut) => `cut ${cut}`),
      'harmless to repeat, of those that arrived',
    ],
    makers.map(({ id, givesId, interrupted }) => [
      code(id),
      givesId ? 'yes' : 'no',
      ...CUTS.map((cut) => {
        const one = interrupted.find((each) => each.cut === cut);
        return one === undefined
          ? '–'
          : `${percent(one.uncertain / one.calls)} uncertain, ${percent(one.twice / one.calls)} shown twice`;
      }),
      percent(safeShare(interrupted)),
    ]),
  );
