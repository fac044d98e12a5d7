import type { MessageKind } from './kinds.ts';
import type { Outcome } from './outcome.ts';

/** JSON as a declaration writes it. Each text in it may hold `{fields}`. */
export type JsonTemplate =
  string | number | boolean | readonly JsonTemplate[] | { readonly [key: string]: JsonTemplate };

/** A field of an answer, by its path such as `error.code`, and its values; without `is`: any but null, '' and false. */
export interface FieldTest {
  readonly field: string;
  readonly is?: readonly (string | number | boolean)[] | undefined;
}

/** A meaning that overrides that of the status: all that a rule names must be so. */
export interface AnswerRule {
  readonly status?: readonly number[] | undefined;
  readonly field?: string | undefined;
  readonly is?: readonly (string | number | boolean)[] | undefined;
  /** A regular expression on the answer's reason. */
  readonly matches?: string | undefined;
  readonly means: Exclude<Outcome, 'sent' | 'unreachable' | 'redirected'>;
  /** The words for a person, in place of the usual ones. */
  readonly say?: string | undefined;
}

/** The rules by which an answer is read. A status that no rule names means what it means for every gateway: see `outcome.ts`. */
export interface AnswerShape {
  /** The proof in a 2xx that it was sent: a field of its JSON, or a regular expression on its text. */
  readonly sent: FieldTest | { readonly matches: string };
  /** The sign in a 2xx that it was not. */
  readonly refused?: FieldTest | undefined;
  /** The fields that may hold the reason; the first that does counts. */
  readonly reason?: readonly string[] | undefined;
  /** The field with the seconds to wait, beside `Retry-After`. */
  readonly retry_after?: string | undefined;
  readonly rules?: readonly AnswerRule[] | undefined;
}

/** The request for one kind of message. The body is `json` or `form`. */
export interface CallShape {
  readonly method?: 'POST' | 'PUT' | undefined;
  /** Below the base URL. Values in it are percent-encoded. */
  readonly path: string;
  readonly json?: JsonTemplate | undefined;
  readonly form?: Readonly<Record<string, string>> | undefined;
  /**
   * The most characters of a parameter, in UTF-16 units; `options`: how many, `option`: the characters of each. The
   * stand-in goes out for a message that is over one.
   */
  readonly limits?: Readonly<Record<string, number>> | undefined;
  /** Options that must have these values; with others the stand-in goes out. */
  readonly only?: Readonly<Record<string, string>> | undefined;
}

/** Receivers are phone numbers, or addresses of the gateway's own, such as topics. */
export type ReceiverShape =
  | 'phone'
  | {
      /** The pattern of a whole address. */
      readonly address: string;
      /** The name of one for people: `topic`, `chat id`. */
      readonly what: string;
    };

/**
 * A gateway as data: how each kind becomes an HTTP request, and what an answer means. Fields in a text: `{to}`, `{id}`
 * (of the message; the same in each attempt), `{secret.NAME}`, `{option.name}` and the parameters of the kind. In `json`,
 * a text that is only one field is left out where that is empty, `{options}` is a list,
 * `{ each: options, as: {option: "{option}"} }` makes one of objects, and `{ lines: [] }` joins what is not empty.
 */
export interface HttpShape {
  /** The ends of the names of its secrets: `TOKEN` of the account `sales` is GATEWAY_SALES_TOKEN. */
  readonly secrets?: readonly string[] | undefined;
  readonly optional_secrets?: readonly string[] | undefined;
  readonly receiver: ReceiverShape;
  /** May hold secrets, options and the message's id. One with an optional secret that is not set is left out. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** User and password of basic authentication. */
  readonly basic?: readonly string[] | undefined;
  /** The reading of `*bold*` and the like: as chats do, not at all, or as HTML. */
  readonly format?: 'chat' | 'plain' | 'html' | undefined;
  /** The most characters (UTF-16 units) of a text; a longer one is cut. */
  readonly max_length?: number | undefined;
  /** The most bytes. */
  readonly max_bytes?: number | undefined;
  /** `text` is what stands in for kinds that are not here. */
  readonly kinds: { readonly text: CallShape } & { readonly [Kind in MessageKind]?: CallShape | undefined };
  readonly answer: AnswerShape;
}

/** An option of a maker, as an account's document gives it. */
export interface MakerOption {
  /** The pattern of a whole value … */
  readonly pattern?: string | undefined;
  /** … or the words that it may be, each with what fills the field. */
  readonly words?: Readonly<Record<string, string>> | undefined;
  /** Its name in an error: `the instance's name`. */
  readonly what: string;
  /** Absent: it is required. */
  readonly standard?: string | undefined;
}

/** Facts that people want before they choose a gateway. */
export interface MakerInWords {
  readonly costs: string;
  readonly needs: string;
  /** The effect of sending a message twice. */
  readonly repeats: string;
  /**
   * A warning for gateways on which anybody who knows a receiver's address can read along. Such an address is made
   * up.
   */
  readonly readAlong?: string | undefined;
}

/** A gateway that somebody else makes. */
export interface Maker {
  readonly id: string;
  readonly name: string;
  /** Its address; null: it is self-hosted, and the document gives it. */
  readonly baseUrl: string | null;
  readonly options?: Readonly<Record<string, MakerOption>> | undefined;
  /** The pace that it allows, which an account has unless its document says otherwise. */
  readonly rate: { readonly perMinute: number; readonly burst: number };
  readonly shape: HttpShape;
}

/** An account's gateway as configured. Plain data, since it crosses an RPC with each webhook. */
export interface GatewaySpec {
  /** `v2`, the id of a maker, or `http`. */
  readonly maker: string;
  /** Null: the maker's own, or for `v2` the variable's. */
  readonly baseUrl: string | null;
  readonly options: Readonly<Record<string, string>>;
  /** The shape of `http`; null for all others. */
  readonly http: HttpShape | null;
}

/** The gateway of an account that names none. */
export const V2: GatewaySpec = { maker: 'v2', baseUrl: null, options: {}, http: null };
