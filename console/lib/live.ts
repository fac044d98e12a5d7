import { useEffect, useRef, useState } from 'preact/hooks';
import { AWAY_MS, pollAfter } from '../../shared/poll-pace.ts';
import { get } from '../api/client.ts';
import type { Frame, Message, Tail } from '../api/types.ts';

/** `off`: nothing is asked for, since the person stopped it, or nobody is there; `lost`: there is no answer yet. */
export type LiveState = 'on' | 'off' | 'lost';

/** What happened since the last time; null: more than is known, and only the lists have it. */
type News = readonly Frame[] | null;

type Listener = { readonly onNews: (news: News) => void; readonly onState: (state: LiveState) => void };

/** A sign of somebody in front of the screen. The page is a part of it that they can see or not. */
const TOUCHES = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'visibilitychange'] as const;

/** Asks what is new, for all parts of the page at once, while the page is seen and a part of it listens. */
export class Live {
  readonly #listeners = new Set<Listener>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #cursor: string | null = null;
  #isAsking = false;
  #askedAt = 0;
  #touchedAt = Date.now();
  #newsAt = 0;
  #state: LiveState = 'lost';

  get isLookedAt(): boolean {
    return document.visibilityState === 'visible' && Date.now() - this.#touchedAt < AWAY_MS;
  }

  /** From now on, it notices that somebody is there. */
  start(): void {
    const touch = (): void => {
      if (document.visibilityState === 'visible') this.#touchedAt = Date.now();
      this.#plan();
    };
    for (const name of TOUCHES) document.addEventListener(name, touch, { passive: true });
  }

  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    listener.onState(this.#state);
    this.#plan();
    return () => {
      this.#listeners.delete(listener);
      this.#plan();
    };
  }

  #plan(): void {
    clearTimeout(this.#timer);
    if (this.#isAsking || this.#listeners.size === 0 || document.visibilityState === 'hidden') return;
    const now = Date.now();
    const wait = pollAfter({ touchedAt: this.#touchedAt, newsAt: this.#newsAt }, now);
    if (wait === null) this.#set('off');
    else this.#timer = setTimeout(() => void this.#ask(), Math.max(0, this.#askedAt + wait - now));
  }

  async #ask(): Promise<void> {
    this.#isAsking = true;
    this.#askedAt = Date.now();
    try {
      const { items, cursor, missed } = await get<Tail>('/tail', { cursor: this.#cursor });
      this.#cursor = cursor;
      if (items.length > 0) this.#newsAt = Date.now();
      this.#set('on');
      if (missed || items.length > 0) for (const { onNews } of this.#listeners) onNews(missed ? null : items);
    } catch {
      this.#set('lost');
    }
    this.#isAsking = false;
    this.#plan();
  }

  #set(state: LiveState): void {
    this.#state = state;
    for (const { onState } of this.#listeners) onState(state);
  }
}

export const live = new Live();

export const useNews = (isOn: boolean, isAbout: (frame: Frame) => boolean, again: () => void): LiveState =>
  useLive(isOn, (news) => {
    if (news === null || news.some(isAbout)) again();
  });

/** Calls `onNews` with what is new, while `isOn`. What came while it was off is new when it is on again. */
export function useLive(isOn: boolean, onNews: Listener['onNews']): LiveState {
  const [state, onState] = useState<LiveState>('lost');
  const current = useRef(onNews);
  current.current = onNews;
  useEffect(
    () => (isOn ? live.listen({ onNews: (news) => current.current(news), onState }) : undefined),
    [isOn],
  );
  return isOn ? state : 'off';
}

/** The time now, again every `everyMs`; null: only once. */
export function useNow(everyMs: number | null): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (everyMs === null) return undefined;
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

/** A message after what the tail says; itself when that was about another one. */
export function messageAfter(message: Message, frame: Frame): Message {
  if (frame.type !== 'message' || frame.message !== message.id) return message;
  // The old reason for waiting is over; a new one comes with its row.
  const { waits: _, next_attempt_at: _next, ...rest } = message;
  return {
    ...rest,
    state: frame.state,
    code: frame.code,
    reason: frame.reason,
    reason_params: frame.reason_params,
    ...(frame.next_attempt_at !== undefined && { next_attempt_at: frame.next_attempt_at }),
    ...(frame.state === 'sent' && { sent_at: message.sent_at ?? frame.at }),
  };
}

type Filters = Readonly<Record<string, string>>;

/** True if a list with these filters may be another one now. A frame does not say all that filters ask for. */
export const concernsMessages = (frame: Frame, { source, event }: Filters): boolean =>
  frame.type === 'message' && isOf(source, frame.source) && isOf(event, frame.event);

export const concernsEvents = (frame: Frame, { source, state, type }: Filters): boolean =>
  frame.type === 'event' &&
  isOf(source, frame.source) &&
  isOf(state, frame.state) &&
  isOf(type, frame.event_type);

const isOf = (wanted: string | undefined, value: string | null): boolean =>
  wanted === undefined || wanted === '' || wanted === value;
