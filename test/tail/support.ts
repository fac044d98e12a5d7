import { exports } from 'cloudflare:workers';
import { parseOwnJson } from '../../src/lib/json.ts';

const TAIL = 'https://relay.example/admin/api/v1/tail';

/** Any frame, as far as the tests read it. */
interface Frame {
  readonly type: string;
  readonly at?: string;
  readonly version?: number;
  readonly event?: string;
  readonly message?: string;
  readonly source?: string | null;
  readonly state?: string;
  readonly outcome?: string;
  readonly account?: string;
  readonly count?: number;
}

/** A tail that was opened: what came in, as text and read, and how it ended. */
export interface View {
  readonly socket: WebSocket;
  readonly texts: string[];
  readonly frames: () => readonly Frame[];
  readonly closed: { code: number; reason: string }[];
}

/** Asks for the tail, with the token unless the headers say otherwise. */
export const ask = (query = '', headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  exports.default.fetch(`${TAIL}${query}`, {
    headers: { authorization: 'Bearer admin-token-of-the-tests', upgrade: 'websocket', ...headers },
  });

/** Takes the client's end of an answer. */
export function viewOf(response: Response): View {
  const { webSocket: socket } = response;
  if (response.status !== 101 || socket === null) throw new Error(`no tail: ${response.status}`);
  const view: View = {
    socket,
    texts: [],
    frames: () => view.texts.filter((text) => text.startsWith('{')).map((text) => parseOwnJson<Frame>(text)),
    closed: [],
  };
  socket.addEventListener('message', ({ data }) => {
    view.texts.push(String(data));
  });
  socket.addEventListener('close', ({ code, reason }) => {
    view.closed.push({ code, reason });
  });
  socket.accept();
  return view;
}

export const openView = async (query = ''): Promise<View> => viewOf(await ask(query));

/** The content of a frame, in a few words: `message queued`. */
export const line = ({ type, state, outcome }: Frame): string =>
  [type, state, outcome].filter((word) => word !== undefined).join(' ');
