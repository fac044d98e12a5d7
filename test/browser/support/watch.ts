import type { BrowserContext, Page, Request } from 'playwright-core';

export interface Watch {
  /** A refusal that a test is about: its status, and its path in the admin API. It is expected at least once. */
  readonly expectRefusal: (status: number, path: string) => void;
  /** A refusal that may come as well: it is asked for at the same time, and given up after the first. */
  readonly allowRefusal: (status: number, path: string) => void;
  /** The number of requests without an answer so far. */
  readonly waiting: () => number;
  /** Unexpected errors, and expected refusals that did not come. */
  readonly troubles: () => readonly string[];
}

/** The name under which the page reports violations of its policy. */
const VIOLATION = 'hookbellTestViolation';

/**
 * Hears of all errors in the console, uncaught errors, dialogs, violations of the policy, and requests to other hosts than
 * `hosts`.
 */
export async function watch(context: BrowserContext, hosts: readonly string[]): Promise<Watch> {
  const found: string[] = [];
  // What a browser asks that nobody is signed in at, or not any more.
  const refusals = ['401 /session', '401 /tail'].map((line) => ({ line, isSeen: true }));
  const sees = (address: string, what: string): void => {
    const { host, protocol } = new URL(address);
    if (protocol !== 'data:' && protocol !== 'blob:' && !hosts.includes(host))
      found.push(`${what}: ${address}`);
  };
  const refused = (line: string): boolean => {
    const all = refusals.filter((refusal) => refusal.line === line);
    for (const one of all) one.isSeen = true;
    return all.length > 0;
  };
  const waiting = new Set<Request>();
  const ended = (request: Request): void => void waiting.delete(request);
  context.on('request', (request) => {
    waiting.add(request);
    sees(request.url(), 'a request to another host');
  });
  context.on('requestfinished', ended);
  context.on('requestfailed', ended);
  context.on('response', (response) => {
    const { pathname } = new URL(response.url());
    const line = `${response.status()} ${pathname.replace('/admin/api/v1', '')}`;
    if (response.status() >= 400 && !refused(line)) found.push(`refused: ${line}`);
  });
  context.on('console', (message) => {
    // The browser's own line for a failed request. The response itself is checked above, and only a test takes the network.
    const isOfRequest =
      /^Failed to load resource: (?:the server responded with|net::ERR_INTERNET_DISCONNECTED)/.test(
        message.text(),
      );
    if (message.type() === 'error' && !isOfRequest) found.push(`console: ${message.text()}`);
  });
  context.on('weberror', (error) => found.push(`uncaught: ${String(error.error())}`));
  await context.exposeFunction(VIOLATION, (what: unknown) => found.push(`policy: ${String(what)}`));
  await context.addInitScript((name) => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      const report: unknown = Reflect.get(window, name);
      if (typeof report === 'function') Reflect.apply(report, null, [`${violatedDirective} ${blockedURI}`]);
    });
  }, VIOLATION);
  context.on('page', (page: Page) => {
    page.on('dialog', (dialog) => {
      found.push(`a dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
  });
  return {
    expectRefusal: (status, path) => void refusals.push({ line: `${status} ${path}`, isSeen: false }),
    allowRefusal: (status, path) => void refusals.push({ line: `${status} ${path}`, isSeen: true }),
    waiting: () => waiting.size,
    troubles: () => [
      ...found,
      ...refusals.filter(({ isSeen }) => !isSeen).map(({ line }) => `was not refused: ${line}`),
    ],
  };
}
