/** A URL whose secret part, `{secret}`, is the value of a Worker secret, and the body that its service wants. */
export interface NotifyPolicy {
  readonly url: string;
  readonly secret: string | null;
  readonly format: NotifyFormat;
}

export type NotifyFormat = 'json' | 'slack' | 'discord' | 'ntfy';
