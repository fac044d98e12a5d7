import { err, ok, type Result } from '../../lib/result.ts';
import { withTimeout } from '../../lib/timeout.ts';
import { pinnedUrl } from '../../signature/certificates/fetched.ts';

interface ConfirmContext {
  readonly fetch: typeof fetch;
  /** ms. */
  readonly timeout?: number;
}

/** SNS waits 15 s for its own answer. */
const TIMEOUT_MS = 8_000;

/**
 * Calls the address at which a provider wants a subscription confirmed; `host` has to match its whole host. The address
 * contains a token of the provider, so the error does not quote it.
 */
export async function confirm(
  url: string,
  host: RegExp,
  { fetch, timeout = TIMEOUT_MS }: ConfirmContext,
): Promise<Result<void, string>> {
  const address = pinnedUrl(url, host);
  if (address === null) return err("the confirmation address is not one of the provider's");
  try {
    const { ok: done, status } = await withTimeout(timeout, async (signal) => {
      const response = await fetch(address, { redirect: 'manual', signal });
      await response.body?.cancel().catch(() => undefined);
      return response;
    });
    return done ? ok(undefined) : err(`the provider answered ${status} to the confirmation`);
  } catch {
    return err('the provider could not be reached in time to confirm');
  }
}
