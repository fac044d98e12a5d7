import { ConnectionLost } from '../simulation.ts';
import type { Random } from '../simulation.ts';
import type { Isolate } from './isolate.ts';
import { refusing } from './refusing.ts';
import { runIn, type Invocation, type Owner } from './owner.ts';
import type { Parts } from './parts.ts';

/** The longest time for which work may go on after the answer (`waitUntil`), in ms. */
const AFTER_ANSWER_MS = 30_000;

/** The context of one request: its I/O ends with it. */
export class RequestContext implements Owner {
  readonly isolate: Isolate;
  readonly className = null;
  isAlive = true;
  #lost: (() => void) | null = null;

  constructor(isolate: Isolate) {
    this.isolate = isolate;
  }

  begin(): void {}
  end(): void {}

  /** Requests have no gates. */
  released(send: () => void): void {
    if (this.isAlive) send();
  }

  deliver(invocation: Invocation, run: () => void): void {
    if (this.isAlive) runIn(invocation, run);
  }

  whenLost(lost: () => void): void {
    this.#lost = lost;
  }

  /** Its isolate is gone, or its time is over. */
  kill(): void {
    this.isAlive = false;
    this.#lost?.();
  }
}

/** Requests from outside, and the contexts that handle them. */
export class FrontDoor {
  readonly #parts: Parts;
  readonly #random: Random;
  readonly #open = new Set<RequestContext>();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#random = parts.random.fork('front door');
  }

  /** Handles a request at a place. Rejects with {@link ConnectionLost} if its sender sees no answer. */
  request(place: string, request: Request): Promise<Response> {
    const { scheduler, latency, faults, seams } = this.#parts;
    return new Promise((resolve, reject) => {
      scheduler.after(latency(), () => {
        const loss = faults.requestLost();
        const lost = (): void => reject(new ConnectionLost('the connection was lost before the answer'));
        if (loss === 'before') return void scheduler.after(latency(), lost);
        const context = new RequestContext(this.#parts.isolates().at(place, this.#random));
        context.whenLost(() => void scheduler.after(latency(), lost));
        this.#handle(context, request).then(
          (response) =>
            void scheduler.after(latency(), () =>
              loss === 'after' ? lost() : resolve(seams.answer(request, response)),
            ),
          reject,
        );
      });
    });
  }

  async #handle(context: RequestContext, request: Request): Promise<Response> {
    const { scheduler, callsPerInvocation, trace } = this.#parts;
    const { isolate } = context;
    this.#open.add(context);
    const works: Promise<unknown>[] = [];
    const executionContext = refusing('the context of a request', {
      waitUntil: (work: Promise<unknown>) => void works.push(work.catch(() => undefined)),
      passThroughOnException: () => undefined,
    });
    const invocation: Invocation = { owner: context, callsLeft: callsPerInvocation, section: null };
    const response = await runIn(invocation, async () => {
      try {
        return await isolate.fetch(request, executionContext);
      } catch (thrown) {
        trace({ who: `Worker ${isolate.id}`, what: 'threw', detail: { error: String(thrown) } });
        return new Response('error code: 1101', { status: 500 });
      }
    });
    const close = (): void => {
      this.#open.delete(context);
      context.isAlive = false;
    };
    const late = scheduler.after(AFTER_ANSWER_MS, close);
    const afterWork = async (): Promise<void> => {
      await Promise.all(works);
      late.cancel();
      close();
    };
    void afterWork();
    return response;
  }

  /** The isolate is gone, with the requests that it is handling. */
  lose(isolate: Isolate): void {
    for (const context of this.#open) {
      if (context.isolate !== isolate) continue;
      this.#open.delete(context);
      context.kill();
    }
  }
}
