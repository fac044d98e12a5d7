export const KINDS = ['text', 'image', 'voice', 'link-preview', 'poll', 'status'] as const;

export type SimulatedKind = (typeof KINDS)[number];

/** One endpoint of the gateway: its path below `/api` and the parameters that its document lists, and no others. */
export interface Endpoint {
  readonly kind: SimulatedKind;
  readonly path: string;
  readonly required: readonly string[];
  readonly optional: readonly string[];
}

/** The gateway's whole interface, version 2. Every endpoint also takes the {@link CREDENTIALS}. */
export const ENDPOINTS: readonly Endpoint[] = [
  { kind: 'text', path: '/send-message.php', required: ['phone', 'message'], optional: [] },
  { kind: 'image', path: '/send-image.php', required: ['phone', 'image_url'], optional: ['caption'] },
  { kind: 'voice', path: '/send-voice.php', required: ['phone', 'audio_url'], optional: [] },
  {
    kind: 'link-preview',
    path: '/send-link-preview.php',
    required: ['phone', 'url'],
    optional: ['text', 'title', 'description'],
  },
  { kind: 'poll', path: '/send-poll.php', required: ['phone', 'question', 'options'], optional: [] },
  // A status goes to all contacts of the account, so a receiver is refused.
  { kind: 'status', path: '/status/send-text.php', required: ['text'], optional: [] },
];

/** The parameters of the login. They are checked and then dropped: never kept, never shown. */
export const CREDENTIALS: { readonly required: readonly string[]; readonly optional: readonly string[] } = {
  required: ['email', 'api_key'],
  optional: ['app_key'],
};

export const findEndpoint = (path: string): Endpoint | undefined =>
  ENDPOINTS.find((endpoint) => endpoint.path === path);
