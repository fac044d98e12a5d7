import type { Call } from './call-log.ts';
import { parseChatText, plainChatText } from './chat-text.ts';
import type { Span } from './chat-text.ts';
import type { Kind } from './endpoints.ts';
import { phoneLabel } from './phone-label.ts';

const WAVE_BARS = 32;
const PREVIEW_LENGTH = 80;

/** A conversation in the page: a receiver, the statuses, or the calls that named no proper receiver. */
export interface Chat {
  readonly key: string;
  readonly label: string;
  readonly type: 'phone' | 'status' | 'unknown';
  /** Of the avatar, in degrees. */
  readonly hue: number;
}

/** A bubble's content: by kind, or the reason why a call was no message. */
export type Content =
  | { readonly kind: 'text' | 'status'; readonly spans: readonly Span[] }
  | { readonly kind: 'image'; readonly url: string; readonly caption: readonly Span[] }
  | { readonly kind: 'voice'; readonly url: string; readonly bars: readonly number[] }
  | { readonly kind: 'poll'; readonly question: string; readonly options: readonly string[] }
  | {
      readonly kind: 'link-preview';
      readonly url: string;
      readonly host: string;
      readonly title: string;
      readonly description: string;
      readonly spans: readonly Span[];
    }
  | { readonly kind: 'refused'; readonly endpoint: string; readonly detail: string };

/** One call as the page shows it. Everything in it is data: the page sets it as text, never as markup. */
export interface Bubble {
  readonly id: number;
  readonly at: string;
  readonly chat: Chat;
  readonly delivered: boolean;
  /** The failure, for the badge; null for a call that was accepted normally. */
  readonly trouble: string | null;
  /** One line for the list of conversations. */
  readonly preview: string;
  readonly content: Content;
}

/**
 * True if a call has anything to show. One with no field but the login only asks whether the gateway answers: it names
 * nobody and says nothing.
 */
export const isShown = ({ outcome, params }: Call): boolean =>
  outcome !== 'refused:missing_parameter' || Object.keys(params).length > 0;

/** `call` as the page shows it. */
export function toBubble(call: Call): Bubble {
  const content = contentOf(call);
  return {
    id: call.id,
    at: call.at,
    chat: chatOf(call),
    delivered: call.delivered,
    trouble: troubleOf(call),
    preview: previewOf(content),
    content,
  };
}

function chatOf({ to, kind, outcome }: Call): Chat {
  if (kind === 'status' && !outcome.startsWith('refused:')) {
    return { key: 'status', label: 'Status', type: 'status', hue: 0 };
  }
  if (to === null || !/^\d{7,15}$/.test(to)) {
    return { key: 'unknown', label: 'No receiver', type: 'unknown', hue: 0 };
  }
  return { key: to, label: phoneLabel(to), type: 'phone', hue: hash(to) % 360 };
}

function troubleOf({ outcome, status }: Call): string | null {
  if (outcome === 'accepted') return null;
  const words = outcome.replace(/^refused:/, '').replaceAll('_', ' ');
  return words === 'status' ? `HTTP ${status}` : words;
}

function contentOf(call: Call): Content {
  const { kind, endpoint, outcome, detail = '' } = call;
  if (kind === null || outcome.startsWith('refused:')) return { kind: 'refused', endpoint, detail };
  return contentOfParams(kind, call.params);
}

/** The content of a call that was checked. @throws {TypeError} for a link preview whose address is none. */
export const contentOfParams = (kind: Kind, params: Readonly<Record<string, string>>): Content =>
  CONTENTS[kind]((name) => params[name] ?? '');

/** The content by kind, of a call whose parameters have been checked. */
const CONTENTS: Readonly<Record<Kind, (param: (name: string) => string) => Content>> = {
  text: (param) => ({ kind: 'text', spans: parseChatText(param('message')) }),
  status: (param) => ({ kind: 'status', spans: parseChatText(param('text')) }),
  image: (param) => ({ kind: 'image', url: param('image_url'), caption: parseChatText(param('caption')) }),
  voice: (param) => ({ kind: 'voice', url: param('audio_url'), bars: waveform(param('audio_url')) }),
  poll: (param) => ({
    kind: 'poll',
    question: param('question'),
    options: param('options')
      .split(',')
      .map((option) => option.trim()),
  }),
  'link-preview': (param) => ({
    kind: 'link-preview',
    url: param('url'),
    host: new URL(param('url')).host.replace(/^www\./, ''),
    title: param('title'),
    description: param('description'),
    spans: parseChatText(param('text')),
  }),
};

const previewOf = (content: Content): string => previewLine(content).slice(0, PREVIEW_LENGTH);

function previewLine(content: Content): string {
  if (content.kind === 'image') return plainChatText(content.caption) || 'Photo';
  if (content.kind === 'voice') return 'Voice message';
  if (content.kind === 'poll') return content.question;
  if (content.kind === 'link-preview') return plainChatText(content.spans) || content.title || content.host;
  if (content.kind === 'refused') return content.detail;
  return plainChatText(content.spans);
}

/** Bars between 0.2 and 1 that look like speech; the same URL always looks the same. */
function waveform(url: string): number[] {
  let state = hash(url);
  return Array.from({ length: WAVE_BARS }, (_, bar) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const swell = 0.65 + 0.35 * Math.sin(bar / 2.6 + (state % 7) / 10);
    return Math.round((0.2 + 0.8 * swell * (state / 2 ** 32)) * 100) / 100;
  });
}

/** FNV-1a, 32 bits: for looks, not for secrets. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return value;
}
