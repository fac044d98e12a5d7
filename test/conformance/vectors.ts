import published from './vectors.json' with { type: 'json' };

/** A signed request that a vendor or its SDK publishes, in the public repository and file of `source`. */
export interface Vector {
  /** The name of the case that it shows. */
  readonly name: string;
  readonly source: string;
  /** A provider of the catalogue. */
  readonly verify: string;
  readonly secret: string;
  /** Another secret of the same kind, where one character more or less makes it none. */
  readonly otherSecret?: string;
  /** POST and the tests' own address, unless they are signed. */
  readonly method?: string;
  readonly url?: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The header that has the signature. Null if the body has it. */
  readonly signatureHeader: string | null;
  /** The header that has the timestamp, if there is one. */
  readonly timestamp?: { readonly header: string; readonly seconds: number };
}

export const vectors: readonly Vector[] = published;
