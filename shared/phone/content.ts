import { parseChatText, plainChatText, type Span } from './chat-text.ts';

/** A part of a message as a phone shows it. All of it is a stranger's data: whoever draws it sets it as text. */
export type Part =
  | { readonly is: 'text'; readonly spans: readonly Span[] }
  | { readonly is: 'image' | 'voice'; readonly url: string }
  | { readonly is: 'poll'; readonly question: string; readonly options: readonly string[] }
  | ({ readonly is: 'card' } & Readonly<Record<'url' | 'host' | 'title' | 'description', string>>);

type Param = (name: string) => string;

/** The parts of each kind of message, from the form fields of the gateway's call. */
const CONTENTS = {
  text: (param) => text(param('message')),
  status: (param) => text(param('text')),
  image: (param) => [{ is: 'image', url: param('image_url') }, ...text(param('caption'))],
  voice: (param) => [{ is: 'voice', url: param('audio_url') }],
  poll: (param) => [
    {
      is: 'poll',
      question: param('question'),
      options: param('options')
        .split(',')
        .map((option) => option.trim()),
    },
  ],
  'link-preview': (param) => [
    ...text(param('text')),
    {
      is: 'card',
      url: param('url'),
      host: URL.parse(param('url'))?.host.replace(/^www\./, '') ?? '',
      title: param('title'),
      description: param('description'),
    },
  ],
} as const satisfies Readonly<Record<string, (param: Param) => readonly Part[]>>;

export type ShownKind = keyof typeof CONTENTS;

export const isShownKind = (kind: string): kind is ShownKind => Object.hasOwn(CONTENTS, kind);

export const contentOf = (kind: ShownKind, params: Readonly<Record<string, string>>): readonly Part[] =>
  CONTENTS[kind]((name) => params[name] ?? '');

/** All words that a phone shows of a message, a line for each part. Pictures and recordings have none. */
export const wordsOf = (content: readonly Part[]): string => content.flatMap(wordsOfPart).join('\n');

function wordsOfPart(part: Part): readonly string[] {
  if (part.is === 'text') return [part.spans.map(({ text }) => text).join('')];
  if (part.is === 'poll') return [part.question, ...part.options];
  return part.is === 'card' ? [part.title, part.description, part.url].filter(Boolean) : [];
}

const PREVIEW_LENGTH = 80;

/** The line that shows a message in a list of conversations: its text, or else its kind. */
export function previewOf(content: readonly Part[]): string {
  const [line = ''] = [...content.filter(({ is }) => is === 'text'), ...content].map(lineOf);
  return line.slice(0, PREVIEW_LENGTH);
}

function lineOf(part: Part): string {
  if (part.is === 'text') return plainChatText(part.spans);
  if (part.is === 'poll') return part.question;
  if (part.is === 'card') return part.title || part.host;
  return part.is === 'image' ? 'Photo' : 'Voice message';
}

function text(words: string): readonly Part[] {
  const spans = parseChatText(words);
  return spans.length === 0 ? [] : [{ is: 'text', spans }];
}
