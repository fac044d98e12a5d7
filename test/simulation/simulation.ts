/**
 * `npm run simulate -- --seeds 20 --hours 24` runs seeds, `--seed 7 --trace` one of them with its trace; `--no-faults` leaves the
 * platform's faults out, `--jobs 1` uses one core.
 *
 * The meeting point of the simulated platform (`platform/`), the world that uses the relay (`world/`) and the model that judges it
 * (`model/`). The platform implements it; world and model use only this.
 */

/** Seeded random numbers. The same seed gives the same numbers, in every process. */
export interface Random {
  next(): number;
  /** A whole number in [from, to]. */
  int(from: number, to: number): number;
  chance(probability: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  bytes(count: number): Uint8Array;
  /** A further stream of numbers: what one part draws does not change what another draws. */
  fork(name: string): Random;
}

/** One line of the trace: time, who, what, details in a stable order. */
export interface TraceEntry {
  readonly at: number;
  readonly who: string;
  readonly what: string;
  readonly detail?: Readonly<Record<string, string | number | boolean | null>>;
}

/** A call of the product to a server outside: the gateway, an owner's address. */
export interface OutsideCall {
  /** Its body is read. */
  readonly request: Request;
  /** The whole body, as it was sent. */
  readonly body: string;
  readonly at: number;
}

export type OutsideAnswer =
  | { readonly kind: 'answer'; readonly response: Response; readonly afterMs: number }
  /** The connection is refused: surely nothing arrived. */
  | { readonly kind: 'refused' }
  /** The request arrived, and the connection breaks after `afterMs` without an answer. */
  | { readonly kind: 'reset'; readonly afterMs: number }
  /** The request arrived, and no answer ever comes. */
  | { readonly kind: 'hang' };

export interface Simulation {
  readonly seed: number;
  /**
   * The time for which the world is active, in ms, from {@link startedAt}. Nothing that happens in it may depend on
   * its length: a shorter run of a seed is the first part of a longer one, which is how runs are shortened.
   */
  readonly duration: number;
  readonly startedAt: number;
  /** A stream for the world and the model; the platform draws from others. */
  readonly random: Random;
  /** The true time (whole ms). The product's clocks may differ from it for a while. */
  now(): number;
  sleep(ms: number): Promise<void>;
  /** Starts an activity of the world; an exception in it fails the run. */
  spawn(name: string, activity: () => Promise<void>): void;
  /**
   * A request to the relay at one of the places (data centers: each has isolates and a view of KV of its own). Rejects with
   * {@link ConnectionLost} when the isolate died before the answer was seen: the sender then knows nothing.
   */
  request(place: string, request: Request): Promise<Response>;
  /**
   * Servers outside, by host name. `isUp`: whether the server takes connections at the moment; the relay checks that before it sends
   * what must not be sent twice (`on_uncertain: hold`).
   */
  outside(host: string, answer: (call: OutsideCall) => OutsideAnswer, isUp?: () => boolean): void;
  trace(entry: Omit<TraceEntry, 'at'>): void;
  /**
   * Asks before something optional happens: a webhook, a failure of the gateway, a publish, a pause. True, unless shrinking switched
   * this one off. Decisions are numbered per `what` (`gateway.500#7`), so name each kind of action by itself; what was decided to be
   * left out must leave no trace. Call it after the random numbers for the action are drawn, so that leaving one out changes as little
   * of what follows as possible.
   */
  decide(what: string): boolean;
  /**
   * Reports that a rule does not hold. It ends the run. Name rules by what should hold, each by itself
   * (`an end is sent last`); the message says who and what, and nothing that differs from run to run.
   */
  report(rule: string, message: string): void;
  /** Calls `listener` whenever an object in memory is gone; what it had not written down then is forgotten. */
  onLoss(listener: (object: string) => void): void;
  /** By how many ms a clock of the platform was wrong at most, since `from`. */
  clockOffMs(from: number): number;
  /** The last time when a fault of the platform changed anything (ms); -Infinity: none has. */
  faultAt(): number;
  /** Since when a disk is full, or was until `from` at least (ms); null: none is. */
  diskFullSince(from: number): number | null;
  /** The end of the last failure of KV since `from`, past or future (ms). Null if there was none. */
  kvFailedUntil(from: number): number | null;
  /** The bytes on the disks of all objects, or of one class, without freed pages. */
  bytesOnDisk(className?: string): number;
  /** Returns what puts the disk of an object back as it is now, as a point-in-time recovery does. */
  snapshot(object: string): () => void;
  /** Counts something for the table and the line of progress (`webhooks`, `sent`, `gateway.failures` …). */
  count(what: string, by?: number): void;
  /** True once faults have ended: from here on everything must settle. The gateway must behave, senders only finish their retries. */
  readonly isCalm: boolean;
  readonly counts: Readonly<Record<string, number>>;
}

/**
 * The world that `createWorld` of `world/world.ts` makes. The run calls that before time begins; it registers servers
 * (`outside`) and starts its activities (`spawn`). At `startedAt + duration` the run ends the platform's faults
 * (`isCalm`), and time goes on until `isQuiet` holds, or for `settleMs` at most: then the run fails
 * (`Finding('liveness', …)`). At last `atQuiet` is called once.
 */
export interface World {
  /** The most that the world gives the relay to settle once faults have ended, in ms. */
  readonly settleMs: number;
  /** Asked each simulated minute once faults have ended: nothing is waiting, no sender retries any more. */
  isQuiet(): boolean;
  /** Checks what must hold at quiet; throws {@link Finding}. May ask the relay by `request`. */
  atQuiet(): Promise<void>;
}

/** `bindings`: variables and secrets of the Worker, besides those of {@link BINDINGS}; the world may add to them before it starts. */
export type CreateWorld = (simulation: Simulation, bindings: Record<string, string>) => World;

/** The places that requests come in at. The first is where the objects live, too. */
export const PLACES = ['fra', 'ams', 'iad'] as const;

/** The relay's address, and how an admin signs in: `authorization: Bearer …`. */
export const RELAY = 'https://relay.example';
export const BINDINGS: Readonly<Record<string, string>> = {
  GATEWAY_BASE_URL: 'https://gateway.example/api',
  GATEWAY_EMAIL: 'relay@example.com',
  GATEWAY_API_KEY: 'gateway-key-of-the-simulation',
  ADMIN_TOKEN: 'admin-token-of-the-simulation',
};

export class ConnectionLost extends Error {}

/** A fault that the model found, see {@link Simulation.report}. Thrown, it ends the run in any case. */
export class Finding extends Error {
  readonly rule: string;
  constructor(rule: string, message: string) {
    super(message);
    this.rule = rule;
  }
}
