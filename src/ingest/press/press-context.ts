import type { LoadedConfig, Source } from '../../config/compiled/config.ts';
import type { LinkView } from '../../outbox/links/read-link.ts';

/** A press, and the account that it belongs to. */
export interface Press {
  readonly env: Env;
  readonly config: LoadedConfig;
  readonly source: Source;
  /** The account whose outbox has the message. */
  readonly account: string;
  readonly view: LinkView;
  /** ms. */
  readonly now: number;
}
