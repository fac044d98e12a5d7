declare module 'cloudflare:test-internal' {
  /** Waits for all that requests go on with after their answers (`waitUntil`), half a minute at most. */
  export function waitForGlobalWaitUntil(): Promise<void>;
}
