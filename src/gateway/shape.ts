import { FactsOn } from '../lib/cache.ts';
import type { Cause } from '../lib/reason.ts';
import type { MessageKind } from './kinds.ts';
import type { Outcome } from './outcome.ts';

/** JSON in a declaration. Each text in it may contain `{fields}`. */
export type JsonTemplate =
  string | number | boolean | readonly JsonTemplate[] | { readonly [key: string]: JsonTemplate };

/** A field of an answer by its path, such as `error.code`; without `is`, any value but null, '' and false. */
export interface FieldTest {
  readonly field: string;
  readonly is?: readonly (string | number | boolean)[] | undefined;
}

/** Gives an answer another meaning than its status. All conditions of the rule must hold. */
export interface AnswerRule extends Pick<FieldTest, 'is'> {
  readonly status?: readonly number[] | undefined;
  readonly field?: string | undefined;
  /** A regular expression on the answer's reason. */
  readonly matches?: string | undefined;
  readonly means: Exclude<Outcome, 'sent' | 'unreachable' | 'redirected'>;
  /** The cause, if it is more exact than what it means. */
  readonly cause?: Cause | undefined;
  /** The same in a document's own words. */
  readonly say?: string | undefined;
}

/** The rules for reading an answer. A status without a rule means the same as for every gateway: see `outcome.ts`. */
export interface AnswerShape {
  /** The proof in a 2xx that the message was sent: a field of its JSON, or a regular expression on its text. */
  readonly sent: FieldTest | { readonly matches: string };
  readonly refused?: FieldTest | undefined;
  /** The fields that may contain the reason. The first one that does counts. */
  readonly reason?: readonly string[] | undefined;
  /** The field with the seconds to wait, in addition to `Retry-After`. */
  readonly retry_after?: string | undefined;
  readonly rules?: readonly AnswerRule[] | undefined;
}

export interface CallShape {
  readonly method?: 'POST' | 'PUT' | undefined;
  /** The path below the base URL. Values in it are percent-encoded. */
  readonly path: string;
  readonly json?: JsonTemplate | undefined;
  readonly form?: Readonly<Record<string, string>> | undefined;
  /** The most UTF-16 units by parameter; `options`: their number, `option`: of each. Above, the stand-in is sent. */
  readonly limits?: Readonly<Record<string, number>> | undefined;
  /** Options that must have these values. With other values, the stand-in is sent. */
  readonly only?: Readonly<Record<string, string>> | undefined;
}

/**
 * A gateway as data: the HTTP request for each kind, and the meaning of answers. Fields in a text: `{to}`, `{id}` (of
 * the message; the same in each attempt), `{secret.NAME}`, `{option.name}` and the parameters of the kind. In `json`, a
 * text that is only one empty field is left out. `{options}` is a list, `{ each: options, as: {option: "{option}"} }`
 * makes a list of objects from it, and `{ lines: [] }` joins the texts that are not empty.
 */
export interface HttpShape {
  /** The ends of the names of its secrets: `TOKEN` of the account `sales` is GATEWAY_SALES_TOKEN. */
  readonly secrets?: readonly string[] | undefined;
  readonly optional_secrets?: readonly string[] | undefined;
  /** Phone numbers, or the gateway's own addresses, with their name for people: `topic`, `chat id`. */
  readonly receiver: 'phone' | { readonly address: string; readonly what: string };
  /** Of secrets, options and the message's id. One with an optional secret that is not set is left out. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly basic?: readonly string[] | undefined;
  /** The treatment of `*bold*` and the like: `chat` keeps the signs, `plain` removes them, `html` uses tags. */
  readonly format?: 'chat' | 'plain' | 'html' | undefined;
  /** The maximum length of a text (UTF-16 units). A longer text is cut. */
  readonly max_length?: number | undefined;
  readonly max_bytes?: number | undefined;
  /** Kinds that are missing here are sent as `text`. */
  readonly kinds: { readonly text: CallShape } & { readonly [Kind in MessageKind]?: CallShape | undefined };
  readonly answer: AnswerShape;
}

export interface MakerOption {
  /** The pattern of a whole value. An option has either this … */
  readonly pattern?: string | undefined;
  /** … or the words that are allowed, each with the text for the field. */
  readonly words?: Readonly<Record<string, string>> | undefined;
  readonly what: string;
  /** The default. Absent if the option is required. */
  readonly standard?: string | undefined;
}

export interface Maker {
  readonly name: string;
  /** Its address; null if it is self-hosted: then the document names the address. */
  readonly baseUrl: string | null;
  readonly options?: Readonly<Record<string, MakerOption>> | undefined;
  /** The pace that it allows. An account has this pace unless its document sets another. */
  readonly rate: { readonly perMinute: number; readonly burst: number };
  readonly shape: HttpShape;
}

/** In the order in which people are offered them. The Worker needs no more before it reads the makers' facts. */
export const MAKER_IDS = [
  'ntfy',
  'telegram',
  'pushover',
  'signal',
  'waha',
  'evolution',
  'whatsapp-cloud',
  'twilio',
] as const;

/** What has something for each maker is keyed by it, so that one without does not compile. */
export type MakerId = (typeof MAKER_IDS)[number];

/** The makers that hookbell ships. */
export const makers = new FactsOn<Readonly<Record<string, Maker>>>('makers');

/** The maker with that id; undefined for `v2`, for `http`, and for an id that this release does not know. */
export const findMaker = (id: string): Maker | undefined =>
  Object.hasOwn(makers.inUse(), id) ? makers.inUse()[id] : undefined;

/** An account's gateway as configured. Plain data, since it is part of an RPC for each webhook. */
export interface GatewaySpec {
  /** `v2`, the id of a maker, or `http`. */
  readonly maker: string;
  /** Null for the maker's own address, or for `v2` the address in the variable. */
  readonly baseUrl: string | null;
  readonly options: Readonly<Record<string, string>>;
  /** The shape of `http`; null for all others. */
  readonly http: HttpShape | null;
}

/** The gateway of an account that names none. */
export const V2: GatewaySpec = { maker: 'v2', baseUrl: null, options: {}, http: null };
