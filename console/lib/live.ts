import { useEffect, useRef, useState } from 'preact/hooks';
import { pathOf } from '../api/client.ts';
import type { Frame } from '../api/types.ts';

/** `on`: connected; `off`: stopped by the person; `lost`: connecting, for the first time or again. */
export type LiveState = 'on' | 'off' | 'lost';

/** A frame; null: the connection was lost for a while, and only the lists have the entries in between. */
type Listener = (frame: Frame | null) => void;

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;
/** The relay disconnects a client to which it has sent 1 MiB since its last `ping`, so that a storm needs frequent ones. */
const PING_MS = 5_000;

/** The console's one connection to the tail, which is there as long as somebody on the page listens. */
class Connection {
  readonly #listeners = new Set<Listener>();
  readonly #watchers = new Set<(state: LiveState) => void>();
  #socket: WebSocket | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #wait = FIRST_WAIT_MS;
  #hasLost = false;
  state: LiveState = 'lost';

  listen(listener: Listener, watcher: (state: LiveState) => void): () => void {
    this.#listeners.add(listener);
    this.#watchers.add(watcher);
    if (this.#socket === null) this.#connect();
    return () => {
      this.#listeners.delete(listener);
      this.#watchers.delete(watcher);
      if (this.#listeners.size === 0) this.#end();
    };
  }

  #connect(): void {
    clearTimeout(this.#timer);
    const { protocol, host } = location;
    const socket = new WebSocket(`${protocol === 'https:' ? 'wss' : 'ws'}://${host}${pathOf('/tail')}`);
    this.#socket = socket;
    const ping = setInterval(() => socket.readyState === WebSocket.OPEN && socket.send('ping'), PING_MS);
    socket.addEventListener('open', () => {
      this.#wait = FIRST_WAIT_MS;
      this.#set('on');
      if (this.#hasLost) this.#notify(null);
      this.#hasLost = false;
    });
    socket.addEventListener('message', ({ data }) => {
      const frame = typeof data === 'string' && data !== 'pong' ? parseFrame(data) : null;
      if (frame !== null && socket === this.#socket) this.#notify(frame);
    });
    socket.addEventListener('close', () => {
      clearInterval(ping);
      if (socket !== this.#socket) return;
      this.#hasLost = true;
      this.#set('lost');
      this.#timer = setTimeout(() => this.#connect(), this.#wait);
      this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT_MS);
    });
  }

  #end(): void {
    clearTimeout(this.#timer);
    const socket = this.#socket;
    this.#socket = null;
    this.#hasLost = false;
    this.state = 'lost';
    socket?.close();
  }

  #set(state: LiveState): void {
    this.state = state;
    for (const listener of this.#watchers) listener(state);
  }

  #notify(frame: Frame | null): void {
    for (const listener of this.#listeners) listener(frame);
  }
}

const connection = new Connection();

/**
 * Calls `onFrame` with each frame while `isOn`. A lost connection comes back by itself. Frames that were missed while
 * it was off, or before it was there, are caught up with as after a loss.
 */
export function useLive(isOn: boolean, onFrame: Listener): LiveState {
  const [state, setState] = useState<LiveState>(connection.state);
  const listener = useRef(onFrame);
  listener.current = onFrame;
  // The first load of the page may be older than the connection.
  const wasOff = useRef(connection.state !== 'on');
  useEffect(() => {
    if (!isOn) {
      wasOff.current = true;
      return undefined;
    }
    const show = (now: LiveState): void => {
      setState(now);
      if (now !== 'on' || !wasOff.current) return;
      wasOff.current = false;
      listener.current(null);
    };
    show(connection.state);
    return connection.listen((frame) => listener.current(frame), show);
  }, [isOn]);
  return isOn ? state : 'off';
}

function parseFrame(text: string): Frame | null {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the relay's own frame, deployed with this page
    return JSON.parse(text) as Frame;
  } catch {
    return null;
  }
}
