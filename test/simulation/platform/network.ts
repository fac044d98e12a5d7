import type { OutsideAnswer, OutsideCall } from '../simulation.ts';
import { currentInvocation, io, spendCall, type Ending, type Owner } from './owner.ts';
import type { Parts } from './parts.ts';

interface Server {
  answer(call: OutsideCall): OutsideAnswer;
  /** It takes connections. */
  isUp(): boolean;
}

const signalOf = (init: unknown): AbortSignal | null =>
  typeof init === 'object' && init !== null && 'signal' in init && init.signal instanceof AbortSignal
    ? init.signal
    : null;

/** Servers outside, and the way to them. */
export class Network {
  readonly #parts: Parts;
  readonly #servers = new Map<string, Server>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  outside(host: string, server: Server): void {
    this.#servers.set(host, server);
  }

  /** The global `fetch`. The call leaves through the output gate, and once it has left it arrives, even if its maker is gone by then. */
  async fetch(input: unknown, init: unknown): Promise<Response> {
    // Not the signal of the request, which follows the caller's for as long as the garbage collector leaves the request there.
    const signal = signalOf(init);
    const request: unknown = Reflect.construct(Request, [
      input,
      typeof init === 'object' ? { ...init, signal: null } : init,
    ]);
    if (!(request instanceof Request)) throw new TypeError('this is no request');
    const invocation = currentInvocation('fetch');
    spendCall(invocation);
    signal?.throwIfAborted();
    const body = await request.text();
    return io<Response>(invocation, (ending) => {
      signal?.addEventListener('abort', () => ending.reject(signal.reason));
      const outcome = this.#parts.seams.fetch(request);
      if (outcome === 'answer first' || outcome === 'lose')
        ending.resolve(Response.json({ success: true, data: { status_code: 200 } }));
      if (outcome === 'lose') return;
      invocation.owner.released(() => {
        if (signal?.aborted === true) return;
        this.#leave(invocation.owner, request, body, ending);
        if (outcome === 'twice') this.#leave(invocation.owner, request, body, ending);
      });
    });
  }

  #leave(owner: Owner, request: Request, body: string, ending: Ending<Response>): void {
    const { scheduler, latency } = this.#parts;
    scheduler.after(latency(), () => this.#arrive(owner, request, body, ending));
  }

  #arrive(owner: Owner, request: Request, body: string, ending: Ending<Response>): void {
    const { scheduler, latency, count } = this.#parts;
    const { hostname } = new URL(request.url);
    const server = this.#servers.get(hostname);
    if (server === undefined)
      return void scheduler.after(latency(), () =>
        ending.reject(new Error(`internal error; reference = ${hostname}`)),
      );
    count(`calls.${hostname}`);
    const answer = server.answer({ request, body, at: Math.floor(scheduler.now) });
    this.#parts.callIsOut(owner);
    if (answer.kind === 'hang') return;
    const afterMs = answer.kind === 'refused' ? 0 : answer.afterMs;
    scheduler.after(latency() + afterMs, () => {
      const response = this.#parts.seams.fetched(request, answer.kind === 'answer' ? answer.response : null);
      if (response === null) ending.reject(new Error('Network connection lost.'));
      else ending.resolve(response);
    });
  }

  /** `connect` of `cloudflare:sockets`: opens if the server is there. */
  connect({ hostname }: { hostname: string }): object {
    const invocation = currentInvocation('connect');
    spendCall(invocation);
    const { scheduler, latency } = this.#parts;
    const opened = io<object>(invocation, ({ resolve, reject }) =>
      invocation.owner.released(() =>
        scheduler.after(latency(), () => {
          const isThere = this.#servers.get(hostname)?.isUp() ?? false;
          scheduler.after(latency(), () =>
            isThere
              ? resolve({})
              : reject(new Error('proxy request failed, cannot connect to the specified address')),
          );
        }),
      ),
    );
    return { opened, closed: opened.then(() => undefined), close: () => Promise.resolve() };
  }
}
