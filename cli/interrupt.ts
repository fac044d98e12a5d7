/** What Ctrl-C does. */
export interface Interrupt {
  /**
   * `handler` is called for Ctrl-C in place of ending at once, until what this gives is called. It ends the process
   * itself, or sees to it that the command does.
   */
  handle(handler: () => void): () => void;
  /** Ends now, with the exit code that shells have for it, after saying how things stand. */
  leave(message?: string): never;
}

/** A terminal sends Ctrl-C to all processes of a command at once, and one may pass it on to another: that is one. */
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
