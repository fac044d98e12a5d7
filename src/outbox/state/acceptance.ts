import type { SourceLimit } from '../../config/config.ts';
import type { EventState } from './states.ts';

/** What `accept()` takes over: an event and its messages, already rendered. Plain data, since it crosses an RPC. */
export interface Acceptance {
  readonly event: AcceptedEvent;
  readonly messages: readonly DraftMessage[];
  /** What its source is held to; absent: nothing (a source without limit, a replay, a copy). */
  readonly quota?: Quota;
  /** Nobody but claims is asked for: what has none becomes the event of this object, see `accept-sharded.ts`. */
  readonly keeper?: number;
  /** Another object claimed the event, and says that it is kept here under its id. `own`: the id that it came with. */
  readonly handed?: { readonly by: number; readonly own: string };
}

/** A source's limit, and how many bytes a webhook had that counts towards it. */
export interface Quota {
  readonly limit: SourceLimit;
  readonly bytes: number;
}

/** Why an event was not taken over, and how long until it would be (ms). Nothing of it is left behind. */
export interface Refusal {
  readonly by: 'requests' | 'bytes' | 'storage' | 'load';
  readonly waitMs: number;
}

/** An event as it is stored. Times are ms since the epoch; the JSON texts are read only by people and replays. */
export interface AcceptedEvent {
  readonly id: string;
  readonly source: string;
  readonly type: string | null;
  readonly state: EventState;
  readonly reason: string | null;
  readonly receivedAt: number;
  readonly dedupe: { readonly key: string; readonly windowMs: number } | null;
  /** How long the ids of its messages' things are remembered, in ms. */
  readonly itemWindowMs: number;
  /** What was signed and makes one event only, kept like the ids of things. Null: nothing of the kind. */
  readonly signed: { readonly keys: readonly string[]; readonly windowMs: number } | null;
  readonly payload: string;
  readonly headers: string;
  readonly query: string;
  readonly configVersion: number;
  /** False: the source keeps no payloads; payload, headers and query are `null`. */
  readonly stored: boolean;
  /** The event that this one is a replay of, and who asked for it. */
  readonly replay: { readonly of: string; readonly by: string } | null;
  /** Other objects of the account that get messages of this event: the spread times 64 and the object's number. */
  readonly shards: readonly number[];
  /** False: a copy beside messages whose event is kept by another object. */
  readonly isHome: boolean;
}

/** One gateway send call for one receiver, before it has an id. */
export interface DraftMessage {
  /** Null: sent by hand through the admin API. */
  readonly route: string | null;
  readonly kind: string;
  /** Null for `status`, which has no receiver. */
  readonly phone: string | null;
  /** The form fields, without receiver and credentials. */
  readonly params: Readonly<Record<string, string>>;
  readonly delayMs: number;
  readonly expiresMs: number | null;
  readonly onUncertain: 'retry' | 'hold';
  readonly priority: 'normal' | 'high';
  /** Its parameters are not kept once it will not be sent any more. */
  readonly forget: boolean;
  /** The id of the one thing of a list that it is about: not sent when another event brought that thing before. */
  readonly itemKey?: string;
}

/** What the sender is told. A duplicate's receipt is the first one's, with `duplicate` set. */
export interface Receipt {
  readonly event: string;
  readonly duplicate: boolean;
  readonly messages: readonly string[];
  /** Other objects that got messages of the event, by the first commit's word; not for the sender. */
  readonly shards?: readonly number[];
  /** The event is kept by this other object, or is to be, and all but its id means nothing. */
  readonly keeper?: number;
  /** The event was not taken over, and all the rest of the receipt means nothing. */
  readonly refused?: Refusal;
}
