import type { Alerting, Quiet, Silence, Throttle } from './alerting.ts';
import type { CanaryPolicy } from './canary.ts';
import type { EscapePolicy } from './escape.ts';
import type { FormRules, VisitorRule } from './form-rules.ts';
import type { NotifyPolicy } from './notify-policy.ts';
import type { Send } from './send.ts';
import type { Rotation, OnCallPeriod } from './rotation.ts';
import type { SourceLimit } from './source-limit.ts';
import type { ReceiverRule } from '../gateway/call.ts';
import type { GatewaySpec } from '../gateway/shape.ts';
import type { Provider } from '../provider/provider.ts';
import type { VerifyScheme } from '../signature/scheme.ts';
import type { CompiledCondition } from '../template/condition.ts';
import type { Locale } from '../template/basics/locale.ts';
import type { CompiledPath } from '../template/path.ts';
import type { CompiledText } from '../template/text.ts';

/**
 * A published version as it is in force. Each part is compiled once, when a webhook or an outbox first asks for it.
 * Never changed.
 */
export interface LoadedConfig {
  /** The immutable version that rendered an event. 0: nothing was published yet. */
  readonly version: number;
  /** Grows with each publish and each rollback: of two, the one with the higher number is newer. */
  readonly activation: number;
  /** `get` throws for a source that this deploy does not understand: that is not the same as a missing source. */
  readonly sources: Pick<ReadonlyMap<string, Source>, 'has' | 'get'>;
  /** All sources, with what lists and watches need. */
  readonly outlines: ReadonlyMap<string, SourceOutline>;
  /** Every account that a source names or a document describes, `default` among them. */
  readonly accounts: ReadonlyMap<string, AccountPolicy>;
  /** All silences, from documents and added by hand. */
  readonly silences: readonly Silence[];
  /** Receivers who have opted out, one a line: see `suppressed.ts`. */
  readonly suppressions: string;
  /** The address at which it was published; null: unknown. See `public-url.ts`. */
  readonly publicUrl: string | null;
  /** The sources and lists that decide when notifications are due, as one text: when it changes, outboxes look again. */
  readonly alerting: string;
}

/** A whole set, checked and parsed at once, for publishing and the doctor. */
export interface Config extends LoadedConfig {
  readonly sources: ReadonlyMap<string, Source>;
}

/** The facts about a source that are known without compiling it. */
export interface SourceOutline {
  readonly id: string;
  readonly account: string;
  /** The account's owner is notified when it sends nothing for this long (ms); null: it may be silent. */
  readonly heartbeatMs: number | null;
}

/** A source as the trip of a webhook needs it. */
export interface Source extends SourceOutline {
  readonly provider: Provider;
  readonly verify: VerifyScheme;
  /** The address as the sender has it, when that is not the one that webhooks arrive at; null: the request's own. */
  readonly url: string | null;
  /** Names of secrets; any may match. */
  readonly secrets: readonly string[];
  /** The name of the secret that the provider's handshake has to show; null: none is named. */
  readonly handshakeSecret: string | null;
  readonly locale: Locale;
  readonly dedupe: Dedupe;
  /** The line by which lists and search show its events; null: none. */
  readonly subject: CompiledText | null;
  /** `metadata`: payloads are not kept, and parameters only until the message is sent. */
  readonly store: 'full' | 'metadata';
  /** The limit of the source; null for none. */
  readonly limit: SourceLimit | null;
  /** Null: its provider is no form on a page. */
  readonly form: FormRules | null;
  readonly routes: readonly Route[];
}

export interface Dedupe {
  /** The source's own key; null: the provider's event id. */
  readonly key: CompiledText | null;
  readonly windowMs: number;
  /** For how long (ms) a second event with the same signed body is a duplicate, whatever its id; 0: never. */
  readonly bodyMs: number;
}

/** A compiled route: a condition, a template, receivers. */
export interface Route {
  readonly name: string;
  /** Null: always. */
  readonly when: CompiledCondition | null;
  /** Null: one message; otherwise one for each element. */
  readonly each: CompiledPath | null;
  /** Of its messages with the same key only the first goes out, for the time of {@link Dedupe}; null: all do. */
  readonly once: CompiledText | null;
  /** Empty for `status`, which has no receiver. */
  readonly to: readonly Receiver[];
  /** By the names of other accounts that its fallbacks name. */
  readonly elsewhere: ReadonlyMap<string, Elsewhere>;
  readonly send: Send;
  /**
   * The rules for when receivers are notified of its items, if the outbox decides that; null if each item makes its
   * messages at once.
   */
  readonly alerting: Alerting | null;
  /** The steps that notify more people of its incidents while nobody acknowledges them, the earliest first. */
  readonly escalate: readonly EscalationStep[];
  /** The links of its messages that their receivers can press. */
  readonly actions: readonly Action[];
  readonly stop: boolean;
  /** True if its messages also go to receivers who have opted out. */
  readonly isTransactional: boolean;
  /** It is sent to a number from a form; null: it is not. */
  readonly visitor: VisitorRule | null;
  readonly delivery: DeliveryPolicy;
  readonly maxLength: number;
  readonly overflow: 'truncate' | 'split' | 'fail';
}

/** A link of a route's messages that their receivers can press. */
export interface Action {
  /** Its name in templates and events. */
  readonly id: string;
  /** The text of the button; null: the built-in one. */
  readonly label: CompiledText | null;
  /** A press silences the incidents: for a duration, or until a time of day; null: it does not. */
  readonly silence: string | null;
  /** The time for which its link can be pressed (ms). */
  readonly expiresMs: number;
}

/** A route's options for sending, which each of its messages carries. */
interface DeliveryPolicy {
  readonly delayMs: number;
  readonly expiresMs: number | null;
  readonly onUncertain: 'retry' | 'hold';
  readonly priority: 'normal' | 'high';
}

/** The people of a list take turns. */
export interface RotationTurns {
  readonly rotation: Rotation;
  /** Returns the number whose turn it is, since when and until when (ms). */
  readonly at: (now: number) => RotationTurn;
}

/** A turn of a number; null: no end of it is in sight. */
export interface RotationTurn extends Omit<OnCallPeriod, 'person'> {
  readonly number: string;
}

/**
 * Numbers from a document are the gateway's digits, or addresses where it has those; what comes from a payload is parsed
 * when rendered.
 */
export type Receiver =
  | {
      readonly from: 'document';
      /** The name of the list, with a person’s after `/` if it is one of it; null: a number of the route's own. */
      readonly list: string | null;
      /** All that it has, on call or not. */
      readonly numbers: readonly string[];
      /** The names of people, by their numbers; absent: the document has none. */
      readonly names?: ReadonlyMap<string, string>;
      /** Only one of the numbers has the turn at a time; absent: all are receivers. */
      readonly turns?: RotationTurns;
      /** The list's quiet hours; null: none, or a number of the route's own. */
      readonly quiet: Quiet | null;
      /** The number of messages that each receiver in the list may get from a route. */
      readonly throttle: readonly Throttle[];
    }
  | {
      readonly from: 'payload';
      readonly text: CompiledText;
      /** The rule for its receivers, where the gateway has addresses of its own; null: a phone number. */
      readonly address: ReceiverRule | null;
      /** The template ends in the `phone` filter, so its output is the gateway's digits already. */
      readonly isGatewayDigits: boolean;
      /** The countries (ISO 3166-1 alpha-2) that it may be in; null: any. */
      readonly countries: readonly string[] | null;
      /** False: premium-rate and satellite numbers are refused, since a stranger may have chosen them. */
      readonly mayBePremium: boolean;
    };

/** A step that is taken while nobody has acknowledged an incident. */
export interface EscalationStep {
  /** The time after the incident opened (ms). */
  readonly afterMs: number;
  readonly to: readonly ListedReceiver[];
}

/** A number or a list in a document. */
export type ListedReceiver = Extract<Receiver, { from: 'document' }>;

/** The receivers of a route in another account, which a fallback names. */
export interface Elsewhere {
  /** Its receivers, by the route's receivers. */
  readonly receivers: ReadonlyMap<string, string>;
  /** True if a receiver that is not among them is reached by the same text. */
  readonly isSame: boolean;
}

/** The pace of one gateway login, and the handling of its failures. */
export interface AccountPolicy {
  /** Null: no limit. */
  readonly rate: { readonly perMinute: number; readonly burst: number } | null;
  readonly perRecipient: { readonly perHour: number } | null;
  readonly timeoutMs: number;
  /** Waits before the second attempt, the third …: n entries allow n + 1 attempts. */
  readonly retryMs: readonly number[];
  /** Regular expressions on the gateway's `message`: a refusal that matches one is never retried. */
  readonly permanentErrors: readonly string[];
  readonly circuit: { readonly failures: number; readonly probeMs: number };
  readonly retentionMs: number;
  /** True: its document was removed. It gets no new events; messages that wait are still sent. */
  readonly isRemoved: boolean;
  /** The number of receivers that may get their first message in a day; null: any. */
  readonly newContacts: { readonly perDay: number } | null;
  /** More normal messages than this that wait for one receiver become one digest; null: never. */
  readonly digestAbove: number | null;
  /** The channel that notifies its owner; null for none. */
  readonly notify: NotifyPolicy | null;
  /** The channel for urgent messages that are not sent; null for none. */
  readonly escape: EscapePolicy | null;
  /** The link that is sent to one's own phone regularly; null for none. */
  readonly canary: CanaryPolicy | null;
  readonly gateway: GatewaySpec;
}
