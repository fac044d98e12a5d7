/** The answer to a refused call. The gateway's document shows no failure bodies, so these are the simulator's own. */
export interface GatewayRefusal {
  /** The HTTP status, 4xx. */
  readonly status: number;
  /** One word for filters and badges, e.g. `unknown_parameter`. */
  readonly reason: string;
  /** The error, its place and its fix, without values that the caller sent. */
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * A name that the caller sent, if it is safe to show: anything long or unusual could be a secret in the wrong place.
 */
export const showName = (name: string): string =>
  /^[\w.[\]-]{1,32}$/.test(name) ? `\`${name}\`` : 'with a name that is not shown';
