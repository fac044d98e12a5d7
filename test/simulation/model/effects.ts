import type { Changes } from './changes.ts';
import type { Holds, Silence } from './holds.ts';
import type { Press } from './press.ts';

/** The changes that a press makes to incidents, besides who has them. Times in ms. */
export interface Effect {
  end(state: Press['state'], at: number): void;
  undo(at: number): void;
  undone(at: number): void;
}

/** Clocks by which a silence ends may be wrong by so much, and presses take their time (ms). */
const EDGE_MS = 200_000;
/** A request whose answer nobody saw has been handled by then (ms). */
const UNANSWERED_MS = 60_000;

const NONE: Effect = { end: () => undefined, undo: () => undefined, undone: () => undefined };

export class Effects {
  readonly #changes: Changes;
  readonly #holds: Holds;
  readonly #silenceMs: number;

  constructor({ changes, holds }: { readonly changes: Changes; readonly holds: Holds }, silenceMs: number) {
    this.#changes = changes;
    this.#holds = holds;
    this.#silenceMs = silenceMs;
  }

  begin(press: Pick<Press, 'link' | 'open' | 'requestedAt' | 'isAgain'>): Effect {
    if (press.link.action === 'resolve') return this.#resolve(press);
    return press.link.action === 'silence' ? this.#silence(press) : NONE;
  }

  #resolve({ link: { keys }, requestedAt }: Pick<Press, 'link' | 'requestedAt'>): Effect {
    const said = { status: 'resolved', requestedAt, isByHand: true } as const;
    const doubts = keys.map((key) => this.#changes.doubt(key, requestedAt));
    const asked = { ...said, acceptedAt: null };
    for (const key of keys) this.#changes.said(key, asked);
    return {
      ...NONE,
      end: (state, at) => {
        if (state === 'not') for (const key of keys) this.#changes.unsaid(key, asked);
        if (state === 'done') for (const key of keys) this.#changes.said(key, { ...said, acceptedAt: at });
        for (const doubt of doubts) doubt.end(at, state !== 'unknown');
      },
    };
  }

  #silence({
    link: { keys },
    open,
    requestedAt,
    isAgain,
  }: Pick<Press, 'link' | 'open' | 'requestedAt' | 'isAgain'>): Effect {
    const silences = keys.map((key): Silence => {
      const silence = this.#holds.silenced(key, requestedAt, requestedAt + this.#silenceMs - EDGE_MS);
      silence.addedAt = Infinity;
      silence.mayLastUntil = Infinity;
      silence.isPressed = true;
      return silence;
    });
    return {
      end: (state, at) => {
        const byThen = state === 'unknown' ? at + UNANSWERED_MS : at;
        for (const silence of silences) {
          // An earlier press may be the same silence, which ends sooner. An incident that is resolved when the press is
          // taken is not silenced.
          const isOpen = open.has(silence.key) && !this.#changes.mayHaveEnded(silence.key, requestedAt, at);
          if (state === 'done' && !isAgain && isOpen) silence.addedAt = at;
          silence.mayLastUntil = byThen + this.#silenceMs + EDGE_MS;
        }
      },
      undo: (at) => {
        for (const silence of silences) silence.until = Math.min(silence.until, at);
      },
      undone: (at) => {
        for (const silence of silences) this.#holds.ended(silence, at, at);
      },
    };
  }
}
