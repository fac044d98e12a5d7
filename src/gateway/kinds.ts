import { gatewayDigits } from '../lib/numbers.ts';
import { err, ok, type Result } from '../lib/result.ts';

export interface Parameter {
  /** `line`: few words; `url`: a public address that the gateway or the phone fetches; `list`: several texts. */
  readonly holds: 'text' | 'line' | 'url' | 'list';
  readonly isOptional?: true;
}

/** The gateway's API for one kind of message: its endpoint and form fields, besides receiver and credentials. */
export interface Kind {
  /** Relative to the account's base URL. */
  readonly path: string;
  readonly hasReceiver: boolean;
  /** The parameters by the gateway's names. The first one is the main content of the message, and is required. */
  readonly params: Readonly<Record<string, Parameter>>;
}

const kinds = {
  text: { path: 'send-message.php', hasReceiver: true, params: { message: { holds: 'text' } } },
  image: {
    path: 'send-image.php',
    hasReceiver: true,
    params: { image_url: { holds: 'url' }, caption: { holds: 'text', isOptional: true } },
  },
  voice: { path: 'send-voice.php', hasReceiver: true, params: { audio_url: { holds: 'url' } } },
  'link-preview': {
    path: 'send-link-preview.php',
    hasReceiver: true,
    params: {
      url: { holds: 'url' },
      text: { holds: 'text', isOptional: true },
      title: { holds: 'line', isOptional: true },
      description: { holds: 'text', isOptional: true },
    },
  },
  poll: {
    path: 'send-poll.php',
    hasReceiver: true,
    params: { question: { holds: 'line' }, options: { holds: 'list' } },
  },
  status: { path: 'status/send-text.php', hasReceiver: false, params: { text: { holds: 'text' } } },
} as const satisfies Readonly<Record<string, Kind>>;

type Kinds = typeof kinds;

export type MessageKind = keyof Kinds;

export type ParamName<K extends MessageKind = MessageKind> = K extends MessageKind
  ? keyof Kinds[K]['params'] & string
  : never;

export type ParamsOf<K extends MessageKind> = Kinds[K]['params'];

/** The one list of the gateway's kinds (API v2). The simulator has its own; a test compares the two. */
export const MESSAGE_KINDS: Readonly<Record<MessageKind, Kind>> = kinds;

export const isMessageKind = (text: string): text is MessageKind => Object.hasOwn(MESSAGE_KINDS, text);

export const KIND_NAMES: readonly MessageKind[] = Object.keys(kinds).filter(isMessageKind);

export const paramsOf = (kind: MessageKind): readonly (readonly [string, Parameter])[] =>
  Object.entries(MESSAGE_KINDS[kind].params);

/** The main parameter of a kind: `text` of `hookbell send` sets it. */
export const mainParam = (kind: MessageKind): string => paramsOf(kind)[0]?.[0] ?? '';

export const listIn = (kind: MessageKind): string | undefined =>
  paramsOf(kind).find(([, { holds }]) => holds === 'list')?.[0];

/** The maximum length of a parameter before rendering, in UTF-16 units: enough for any phone, and quick to parse. */
export const MAX_PARAM_LENGTH = 16_384;

export const LIST_LENGTH = { min: 2, max: 64 } as const;

type Params<K extends MessageKind> = {
  readonly [N in ParamName<K> as ParamsOf<K>[N] extends { isOptional: true } ? never : N]: string;
} & { readonly [N in ParamName<K> as ParamsOf<K>[N] extends { isOptional: true } ? N : never]?: string };

/**
 * One call of the gateway: a kind, its receiver in the gateway's digits (null for `status`, which has none) and exactly
 * the form fields that are sent, without credentials. A poll's `options` are already joined.
 */
export type SendCall = {
  readonly [K in MessageKind]: {
    readonly kind: K;
    readonly phone: Kinds[K]['hasReceiver'] extends true ? string : null;
    readonly params: Params<K>;
  };
}[MessageKind];

/** An unchecked call: from the store, or from a person. */
interface LooseCall {
  readonly kind: string;
  readonly phone: string | null;
  readonly params: Readonly<Record<string, string>>;
}

export type ReceiverRule = Readonly<{ pattern: RegExp; what: string }>;

export const PHONES: ReceiverRule = {
  pattern: gatewayDigits,
  what: 'digits that start with the country code',
};

/** The longest address of a gateway, in UTF-16 units. A document's pattern may read no more of a payload. */
const MAX_ADDRESS = 256;

export const takes = ({ pattern }: ReceiverRule, receiver: string): boolean =>
  receiver.length <= MAX_ADDRESS && pattern.test(receiver);

const MAX_SHOWN = 40;

/** Returns a valid call, or the error in it. Does not quote texts and phone numbers. */
export const checkCall = (call: LooseCall, receivers: ReceiverRule = PHONES): Result<SendCall, string> =>
  isSendCall(call, receivers) ? ok(call) : err(fault(call, receivers) ?? 'this is not a call to the gateway');

const isSendCall = (call: LooseCall, receivers: ReceiverRule): call is LooseCall & SendCall =>
  fault(call, receivers) === null;

function fault({ kind, phone, params }: LooseCall, receivers: ReceiverRule): string | null {
  if (!isMessageKind(kind))
    return `there is no kind \`${kind.slice(0, MAX_SHOWN)}\`; the kinds are ${KIND_NAMES.join(', ')}`;
  const { hasReceiver, params: known } = MESSAGE_KINDS[kind];
  if (!hasReceiver && phone !== null) return `a \`${kind}\` message has no receiver`;
  if (hasReceiver && phone === null) return `a \`${kind}\` message needs a receiver`;
  if (phone !== null && !takes(receivers, phone)) return `the receiver must be ${receivers.what}`;
  const unknown = Object.keys(params).find((name) => !Object.hasOwn(known, name));
  if (unknown !== undefined)
    return `a \`${kind}\` message has no parameter \`${unknown.slice(0, MAX_SHOWN)}\``;
  const empty = Object.entries(known).find(([name, one]) => !one.isOptional && !params[name]?.trim());
  return empty === undefined
    ? null
    : `a \`${kind}\` message needs the parameter \`${empty[0]}\`, and it is empty`;
}

/** Of the 2 MB of a message's row: four texts of 65,536 characters in any language fit, beside the attempts. */
const MAX_PARAMS_BYTES = 800_000;

/** The reason why these parameters do not fit into a message's row; null if they fit. */
export function whyTooLarge(params: Readonly<Record<string, string>>): string | null {
  const units = Object.values(params).reduce((sum, text) => sum + text.length, 0);
  // A UTF-16 unit takes at most six bytes as JSON, so few messages have to be measured.
  if (6 * units <= MAX_PARAMS_BYTES / 2) return null;
  const bytes = new TextEncoder().encode(JSON.stringify(params)).byteLength;
  return bytes <= MAX_PARAMS_BYTES
    ? null
    : `has ${bytes} bytes as JSON with all its parameters; ${MAX_PARAMS_BYTES} is the limit`;
}

/** Descriptions of each kind and its parameters for the documentation. No deployed code imports them. */
export const KIND_WORDS: {
  readonly [K in MessageKind]: { readonly kind: string } & Readonly<Record<ParamName<K>, string>>;
} = {
  text: { kind: 'A text message.', message: 'The text.' },
  image: {
    kind: 'A picture.',
    image_url: "The picture's http or https address.",
    caption: 'The text below the picture.',
  },
  voice: { kind: 'A voice message.', audio_url: "The recording's http or https address." },
  'link-preview': {
    kind: 'A link with a card.',
    url: "The link's http or https address.",
    text: 'The text above the card.',
    title: "The card's title.",
    description: "The card's text.",
  },
  poll: {
    kind: 'A question with options to choose from.',
    question: 'The question.',
    options: 'The options.',
  },
  status: { kind: 'A status, which goes to all contacts and has no receiver.', text: 'The text.' },
};

/**
 * The gateway reads a poll's options as one comma-separated list, in which a comma cannot be escaped. U+201A, the low
 * single quotation mark, looks like a comma on a phone and separates nothing. The fullwidth comma U+FF0C would leave a
 * visible gap in Latin text.
 */
const COMMA_LOOK_ALIKE = '\u201A';

/** Trims the options and drops none; a comma splits none. Refuses fewer than two, and empty ones. */
export function joinPollOptions(options: readonly string[]): Result<string, string> {
  const trimmed = options.map((option) => option.trim());
  const empty = trimmed.indexOf('');
  if (empty >= 0) return err(`option ${empty + 1} of the poll is empty`);
  if (trimmed.length < 2) return err(`a poll needs at least two options, and this one has ${trimmed.length}`);
  return ok(trimmed.map((option) => option.replaceAll(',', COMMA_LOOK_ALIKE)).join(','));
}
