import type { Call } from './call-log.ts';
import { fnv } from '../src/lib/text.ts';
import { contentOf, previewOf, type Part } from '../shared/phone/content.ts';
import type { SimulatedKind } from './endpoints.ts';

/** A conversation in the page: a receiver, the statuses, or the calls that named no proper receiver. */
export interface Chat {
  readonly key: string;
  readonly label: string;
  readonly type: 'phone' | 'status' | 'unknown';
  readonly hue: number;
}

/** A bubble's content, or the reason why a call was not a message. */
export type BubbleContent =
  | { readonly kind: SimulatedKind; readonly parts: readonly Part[] }
  | { readonly kind: 'refused'; readonly endpoint: string; readonly detail: string };

/** One call as the page shows it. Everything in it is data: the page sets it as text, never as markup. */
export interface Bubble {
  readonly id: number;
  readonly at: string;
  readonly chat: Chat;
  readonly delivered: boolean;
  /** The failure, for the badge; null for a call that was accepted normally. */
  readonly trouble: string | null;
  readonly preview: string;
  readonly content: BubbleContent;
}

/** A call with no field but the login only asks whether the gateway answers: it says nothing to anybody. */
export const isShown = ({ outcome, params }: Call): boolean =>
  outcome !== 'refused:missing_parameter' || Object.keys(params).length > 0;

export function toBubble(call: Call): Bubble {
  const content = contentOfCall(call);
  return {
    id: call.id,
    at: call.at,
    chat: chatOf(call),
    delivered: call.delivered,
    trouble: troubleOf(call),
    preview: content.kind === 'refused' ? content.detail : previewOf(content.parts),
    content,
  };
}

function chatOf({ to, kind, outcome }: Call): Chat {
  if (kind === 'status' && !outcome.startsWith('refused:')) {
    return { key: 'status', label: 'Status', type: 'status', hue: 0 };
  }
  const isPhone = to !== null && /^\d{7,15}$/.test(to);
  if (to === null || (!isPhone && outcome.startsWith('refused:'))) {
    return { key: 'unknown', label: 'No receiver', type: 'unknown', hue: 0 };
  }
  return { key: to, label: isPhone ? phoneLabel(to) : to, type: 'phone', hue: fnv(to) % 360 };
}

function troubleOf({ outcome, status }: Call): string | null {
  if (outcome === 'accepted') return null;
  const words = outcome.replace(/^refused:/, '').replaceAll('_', ' ');
  return words === 'status' ? `HTTP ${status}` : words;
}

function contentOfCall(call: Call): BubbleContent {
  const { kind, endpoint, outcome, detail = '' } = call;
  if (kind === null || outcome.startsWith('refused:')) return { kind: 'refused', endpoint, detail };
  return { kind, parts: contentOf(kind, call.params) };
}

/** Country calling codes of one and two digits (ITU E.164, list of assigned codes); all others have three. */
const COUNTRY_CODE = /^(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})/;

/** A gateway number as people read it: `4915112345678` is `+49 151 1234 5678`. For display only: it checks nothing. */
export function phoneLabel(digits: string): string {
  const code = COUNTRY_CODE.exec(digits)?.[0];
  if (code === undefined) return digits;
  const rest = digits.slice(code.length);
  // Groups of three, and of four at the end: close to how most countries write numbers.
  const groups = rest.match(/\d{3}(?=\d{3,4}$|\d{6})|\d{4}(?=\d{4}$)|\d+/g) ?? [];
  return `+${[code, ...groups].join(' ')}`;
}
