/** Handles Ctrl-C. */
export interface Interrupt {
  /** Calls `handler` on Ctrl-C instead of ending at once, until the returned function is called. */
  handle(handler: () => void): () => void;
  /** Ends now, with the exit code that shells use for the signal. `message` is shown first. */
  leave(message?: string): never;
}

/** Signals within this time count once: a terminal sends Ctrl-C to every process, and npm may pass it on, too. */
const SAME_PRESS_MS = 300;

/** Exit codes by signal: 128 and the signal's number. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

export function listenForInterrupt(say: (message: string) => void): Interrupt {
  const handlers: (() => void)[] = [];
  let last = -Infinity;
  let exitCode: number = EXIT_CODES.SIGINT;
  const leave = (message?: string): never => {
    if (message !== undefined) say(message);
    process.exit(exitCode);
  };
  for (const [signal, code] of Object.entries(EXIT_CODES)) {
    process.on(signal, () => {
      const now = performance.now();
      if (now - last < SAME_PRESS_MS) return;
      last = now;
      exitCode = code;
      const handler = handlers.at(-1);
      if (handler === undefined) leave();
      else handler();
    });
  }
  return {
    leave,
    handle: (handler) => {
      handlers.push(handler);
      return () => {
        const at = handlers.lastIndexOf(handler);
        if (at >= 0) handlers.splice(at, 1);
      };
    },
  };
}
