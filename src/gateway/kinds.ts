/** The gateway's API for one kind of message: its endpoint and form fields, without receiver and credentials. */
interface Kind {
  /** Relative to the account's base URL. */
  readonly path: string;
  readonly required: readonly string[];
  readonly optional: readonly string[];
  /** The parameters that are public addresses, which the gateway or the phone fetches. */
  readonly urls: readonly string[];
  readonly hasReceiver: boolean;
}

const shapes = {
  text: { path: 'send-message.php', required: ['message'], optional: [], urls: [], hasReceiver: true },
  image: {
    path: 'send-image.php',
    required: ['image_url'],
    optional: ['caption'],
    urls: ['image_url'],
    hasReceiver: true,
  },
  voice: {
    path: 'send-voice.php',
    required: ['audio_url'],
    optional: [],
    urls: ['audio_url'],
    hasReceiver: true,
  },
  'link-preview': {
    path: 'send-link-preview.php',
    required: ['url'],
    optional: ['text', 'title', 'description'],
    urls: ['url'],
    hasReceiver: true,
  },
  poll: {
    path: 'send-poll.php',
    required: ['question', 'options'],
    optional: [],
    urls: [],
    hasReceiver: true,
  },
  status: { path: 'status/send-text.php', required: ['text'], optional: [], urls: [], hasReceiver: false },
} as const satisfies Readonly<Record<string, Kind>>;

type Shapes = typeof shapes;

/** `text`, `image`, `voice`, `link-preview`, `poll` or `status`. */
export type MessageKind = keyof Shapes;

/** The gateway's six kinds of message (its API v2), with the gateway's names of parameters. */
export const MESSAGE_KINDS: Readonly<Record<MessageKind, Kind>> = shapes;

/** True if `text` names one of the six kinds. */
export const isMessageKind = (text: string): text is MessageKind => Object.hasOwn(MESSAGE_KINDS, text);

type Params<K extends MessageKind> = Readonly<
  Record<Shapes[K]['required'][number], string> & Partial<Record<Shapes[K]['optional'][number], string>>
>;

/**
 * One call of the gateway: a kind, its receiver in the gateway's digits (null for `status`, which has none) and exactly
 * the form fields that are sent, without credentials. A poll's `options` are already joined.
 */
export type SendCall = {
  readonly [K in MessageKind]: {
    readonly kind: K;
    readonly phone: Shapes[K]['hasReceiver'] extends true ? string : null;
    readonly params: Params<K>;
  };
}[MessageKind];
