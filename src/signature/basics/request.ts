import { type Result, err } from '../../lib/result.ts';

/** The format of a parsed body. `json_in_form`: a form or multipart with the whole payload as JSON in one field. */
export type BodyFormat = 'json' | 'form' | 'json_in_form' | 'multipart' | 'xml' | 'text';

/** A body parsed by its Content-Type, which is never signed. */
export interface ParsedBody {
  readonly format: BodyFormat;
  readonly sent: unknown;
  /** As templates see it: `sent`, with texts that contain JSON decoded, if the provider has such texts. */
  readonly payload: unknown;
}

/** The parts that a signature can cover: the request as it came in, and its body as the exact bytes. */
export interface SignedRequest {
  readonly method: string;
  readonly url: URL;
  /** The same as it was sent, which may have fewer escapes than `url`. Absent if that is not known. */
  readonly sentUrl?: string;
  /** The address that the sender has, if it is not the request's own: the source's `url`. */
  readonly registeredUrl: string | null;
  readonly headers: Headers;
  /** The bytes to verify, hash and compare as a whole. Only `parsed` gives their content. */
  readonly body: Uint8Array;
  /** Parsed once: by other rules, a sender could show one token to verification and another to templates. */
  readonly parsed: () => Promise<Result<ParsedBody, { readonly detail: string }>>;
  /** The segment after the source in `/hooks/{source}/{token}`, percent-decoded. */
  readonly pathToken: string | undefined;
}

export type RefusalCode =
  /** A header that the scheme needs is absent or empty. */
  | 'missing_header'
  /** A query parameter, body field, path token or signature parameter that the scheme needs is absent. */
  | 'missing_field'
  /** A value is there, but not in the scheme's form. */
  | 'malformed'
  /** The timestamp is further from now than the tolerance, in either direction. */
  | 'stale'
  /** Signatures are listed, but none under a key that the scheme accepts. */
  | 'unknown_key'
  /** Well formed and fresh, but made with another secret or over another request. */
  | 'mismatch'
  /** The sender cannot fix this: no secret is set, or one cannot be decoded. */
  | 'misconfigured'
  /** A server that verification needs cannot be reached: the sender should try again. */
  | 'unavailable';

/** `detail` names headers, counts and ages for the admin; never a secret, a signature or a piece of the body. */
export type SignatureRefusal = Readonly<{ code: RefusalCode; detail: string }>;

/** What a check gives, or why the request is refused. */
export type Checked<Value> = Result<Value, SignatureRefusal>;

export const refuse = (code: RefusalCode, detail: string) => err<SignatureRefusal>({ code, detail });
