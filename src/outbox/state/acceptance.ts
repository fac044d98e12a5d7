import type { FieldCode } from '../../lib/api-codes.ts';
import type { Params } from '../../lib/problem.ts';
import type { Reason } from '../../lib/reason.ts';
import type { SourceLimit } from '../../config/compiled/source-limit.ts';
import type { MessageKind } from '../../gateway/kinds.ts';
import type { Further } from '../../render/fallback.ts';
import type { DraftLinks } from '../../render/links.ts';
import type { EventState, NotifyReason } from '../../schema/states.ts';
import { constants, deflateRawSync, inflateRawSync } from 'node:zlib';

/** The argument of `accept()`: an event and its messages, already rendered. Plain data, since it crosses an RPC. */
export interface Acceptance {
  readonly event: AcceptedEvent;
  readonly messages: readonly DraftMessage[];
  /** They become notifications when they are due. */
  readonly items?: readonly DraftItem[];
  /** Absent: a source without limit, or a replay. */
  readonly quota?: Quota;
  /** That a form came from; absent: no limit. */
  readonly address?: AddressLimit;
  /** By a press. */
  readonly changes?: IncidentChange;
  /** What the links of its messages begin with if `PUBLIC_URL` is not set. */
  readonly publicUrl?: string;
  /** Stands for the routes of its source, and changes with them; absent: it is no webhook. */
  readonly routes?: number;
  /** What a bound left out, for the account’s owner. */
  readonly leftOut?: string;
}

export interface IncidentChange {
  readonly change: 'acknowledged' | 'resolved';
  readonly incidents: readonly { readonly source: string; readonly route: string; readonly key: string }[];
  readonly by: string;
}

/** `code` stands for the address, which is not known here. */
export interface AddressLimit {
  readonly code: string;
  readonly perHour: number;
}

/** A source's limit, and the part of a webhook that counts towards it. */
export type Quota = WebhookSize & { readonly limit: SourceLimit };

export interface WebhookSize {
  readonly bytes: number;
  /** An item counts for each of its receivers. */
  readonly messages: number;
}

/** Nothing of the event is stored. `waitMs`: until it would be accepted. */
export interface Refusal {
  readonly by: 'requests' | 'bytes' | 'messages' | 'storage' | 'load' | 'address';
  readonly waitMs: number;
}

/** A reason why an event made less than its routes ask for, or something else; as its row has it, in a list. */
export interface EventReason {
  readonly code: FieldCode;
  readonly params?: Params;
  /** What is wrong, without its place. */
  readonly message: string;
  readonly route?: string;
  readonly element?: number;
  /** With its expression: the place of the failure in the route; absent: nothing is wrong with the route. */
  readonly parameter?: string;
  readonly expression?: string;
}

/** An event as it is stored. Times are ms since the epoch; the JSON texts are read only by people and replays. */
export interface AcceptedEvent {
  readonly id: string;
  readonly source: string;
  readonly type: string | null;
  readonly state: EventState;
  readonly reasons: readonly EventReason[];
  readonly receivedAt: number;
  readonly dedupe: { readonly key: string; readonly windowMs: number } | null;
  /** The time for which the ids of its messages' items, and the texts of `once`, are claimed, in ms. */
  readonly itemWindowMs: number;
  /** Keys of the signed content, claimed like the ids of items: the same content makes one event only. */
  readonly signed: { readonly keys: readonly string[]; readonly windowMs: number } | null;
  readonly payload: Packed;
  readonly headers: string;
  readonly query: string;
  readonly subject?: string;
  /** Its language (BCP 47); absent: its source has one for all. */
  readonly locale?: string;
  readonly configVersion: number;
  /** The activation of that configuration: its items wait until the object has it, or a newer one. It is not stored. */
  readonly activation: number;
  /** False if the source keeps no payloads; payload, headers and query are then `null`. */
  readonly stored: boolean;
  /** The original event, when it was received (ms; only for items), and the person who asked for the replay. */
  readonly replay: { readonly of: string; readonly at?: number; readonly by: string } | null;
  /** True if its source cannot prove its sender; absent: it can. */
  readonly isOpen?: boolean;
  /** True if somebody pressed a link. It does not show that its source still sends. */
  readonly isPress?: boolean;
  /** Items that made no message because of a silence, by their places (from 1); absent: none. */
  readonly silenced?: readonly { readonly route: string; readonly index: number; readonly silence: string }[];
}

/** One gateway send call for one receiver, before it has an id. */
export interface DraftMessage {
  /** Null if it was sent by hand through the admin API. */
  readonly route: string | null;
  readonly kind: MessageKind;
  /** Null for `status`, which has no receiver. */
  readonly phone: string | null;
  /** The form fields, without the receiver and credentials. */
  readonly params: Readonly<Record<string, string>>;
  /** Absent: at once. */
  readonly delayMs?: number | undefined;
  /** Absent or null: never. */
  readonly expiresMs?: number | null | undefined;
  /** Absent: `retry`. */
  readonly onUncertain?: 'retry' | 'hold' | undefined;
  /** Absent: normal. */
  readonly priority?: 'normal' | 'high' | undefined;
  /** True if its parameters are deleted once it will no longer be sent. */
  readonly forget?: boolean | undefined;
  /** True if its number comes from a form, so that the number gets only a few of them a day. */
  readonly toVisitor?: boolean;
  /** Sent one after the other when it becomes a dead letter. */
  readonly fallback?: readonly Further[];
  readonly links?: DraftLinks;
  /** The message of another account that it is sent for. */
  readonly from?: AccountMessage;
  /** The message of another account that waits for its outcome. */
  readonly reports?: AccountMessage;
  /** True if it comes from the escape channel of another account, so that it goes to no escape channel here. */
  readonly isEscape?: boolean;
  /** Why it differs from its route's template. */
  readonly reason?: Reason;
  /** The incidents in it, see `About`; absent: it is about an item of its event. */
  readonly about?: About;
  /** The same for the outbox: what its receiver knows once it is sent. */
  readonly says?: unknown;
  /** The id of its item: not sent if another event brought that item before. */
  readonly itemKey?: string;
  /** From `once`: not sent if another event made a message of the route with the same key before. */
  readonly once?: string;
}

export type AccountMessage = Readonly<Record<'account' | 'message', string>>;

/** The origin of messages; their `expires` counts from `since` (ms). */
export interface MessageOrigin {
  /** Null if it was sent by hand through the admin API. */
  readonly event: string | null;
  readonly source: string | null;
  readonly since: number;
  readonly configVersion: number;
  /** True if the source cannot prove its sender; absent: it can, or there is none. */
  readonly isOpen?: boolean | undefined;
}

export interface Drafts {
  readonly drafts: readonly DraftMessage[];
  readonly origin: MessageOrigin;
}

export interface About {
  readonly form: 'group' | 'digest';
  readonly why: NotifyReason;
  readonly new: number;
  readonly resolved: number;
  readonly firing: number;
  /** Ids of incidents, the first few. */
  readonly incidents: readonly string[];
  /** For a digest of messages that waited for one receiver: their number, and the time since when (ISO 8601). */
  readonly summarized?: number;
  readonly since?: string;
}

/** An element of a route's `each`, or the whole event. */
export interface DraftItem {
  readonly route: string;
  /** Its place in the event, from 1. */
  readonly index: number;
  /** Its number among the elements of the webhook, which is the same in each route that takes it. */
  readonly place: number;
  /** The gateway's digits; null for a `status`, which has no receiver. */
  readonly phones: readonly (string | null)[];
  readonly priority?: 'high';
  /** The incident's key, unique in the route; null if it belongs to none. */
  readonly key: string | null;
  readonly isResolved: boolean;
  /** How bad it says that it is, see `severityLevel`; absent: 0. */
  readonly severity?: number;
  /** The time since when it is so, by the sender's clock; absent: its route does not read one. */
  readonly at?: SenderTime;
  /** It says who has its incident, and opens nothing; absent: it says something else. */
  readonly holder?: HolderChange;
  /** The values that it shares with the other items of its group, as one text; null if it is a group by itself. */
  readonly group: string | null;
  readonly flapping: { readonly changes: number; readonly perMs: number } | null;
  /** While one of these incidents is open (`source/route/key`), nobody is notified of it. */
  readonly inhibitedBy: readonly string[];
  /** The element, or the payload, as JSON. */
  readonly value: string;
  /** How many further elements its sender left out of the list. */
  readonly leftOut?: number;
  /** As of a message. */
  readonly itemKey?: string;
  readonly once?: string;
}

export interface SenderTime {
  /** At most the time of arrival (ms). */
  readonly ms: number;
  /** True if it is the time of arrival, since the sender gives none, or one in the future. */
  readonly isArrival: boolean;
  /** What the sender gives, if that is in the future (ms). */
  readonly ahead?: number;
}

/** A sender says who has an incident, or that they have it no longer. */
export interface HolderChange {
  readonly by: string;
  readonly isBack: boolean;
  /** The form of the message to those who know of the incident; `locale`: BCP 47. */
  readonly message: Pick<DraftMessage, 'priority' | 'forget'> & {
    readonly locale: string;
    readonly maxLength: number;
  };
}

/** The answer to the sender. A duplicate's receipt is the first one's, with `duplicate` set. */
export interface Receipt {
  readonly event: string;
  readonly duplicate: boolean;
  readonly messages: readonly string[];
  /** The number of items that wait for a notification; absent: none. */
  readonly waiting?: number;
  /** The reason why it is a duplicate, if its id does not show that. */
  readonly reason?: string;
  /** Set if the event was refused. The other fields then have no meaning. */
  readonly refused?: Refusal;
}

/** A JSON text as an event's row has it: as it is, or compressed (RFC 1951), if the row would be too large. */
export type Packed = string | ArrayBuffer;

/** Of a text that is compressed, in UTF-16 units: whoever reads it needs memory for all of it. */
export const MAX_PACKED_LENGTH = 8 * 1_048_576;

export const pack = (text: string): ArrayBuffer =>
  new Uint8Array(deflateRawSync(text, { level: constants.Z_BEST_SPEED })).buffer;

export const unpack = (stored: Packed): string =>
  typeof stored === 'string' ? stored : inflateRawSync(stored).toString();

const packedSize = (stored: Packed) => (typeof stored === 'string' ? stored.length : stored.byteLength);

/** Of its row, in UTF-8. The platform's rows end at 2 MB; duplicates may add 60 KB to one. */
export const MAX_EVENT_BYTES = 1_900_000;

export function bytesOf(texts: readonly Packed[]): number {
  const encoder = new TextEncoder();
  return texts.reduce(
    (sum, text) => sum + (typeof text === 'string' ? encoder.encode(text) : text).byteLength,
    0,
  );
}

export function fitsIntoRow(texts: readonly Packed[]): boolean {
  // A UTF-16 unit has at most three bytes, so hardly any event needs measuring.
  const atMost = texts.reduce((sum, text) => sum + 3 * packedSize(text), 0);
  return atMost <= MAX_EVENT_BYTES || bytesOf(texts) <= MAX_EVENT_BYTES;
}

/** Roughly a row, with its index and its message's parameters, without the payload. */
const ROW_BYTES = 1_024;

/** Returns roughly how many bytes an event, its messages and its items take on disk. */
export const storedBytes = ({ event, messages, items = [] }: Acceptance): number =>
  items.reduce(
    (sum, { value, phones }) => sum + value.length + ROW_BYTES * phones.length,
    packedSize(event.payload) + event.headers.length + ROW_BYTES * (1 + messages.length),
  );

/** Returns roughly how many bytes they take in memory: two for each UTF-16 unit. */
export const heldBytes = ({ event, messages, items = [] }: Acceptance): number =>
  2 * (packedSize(event.payload) + event.headers.length + event.query.length) +
  messages.reduce(
    (sum, { params, fallback = [] }) =>
      [params, ...fallback.map((one) => one.params)]
        .flatMap((one) => Object.values(one))
        .reduce((bytes, text) => bytes + 2 * text.length, sum + ROW_BYTES),
    ROW_BYTES,
  ) +
  items.reduce((sum, { value, phones }) => sum + 2 * value.length + ROW_BYTES * phones.length, 0);
