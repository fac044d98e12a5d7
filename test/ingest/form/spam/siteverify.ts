/** The behaviour of the stand-in; `down`: it does not answer. */
export type Says = 'as it is' | 'down' | 'page' | 'secret';

const SECRET = 'turnstile-secret-of-the-tests';

/** The token that a widget would put into a form: each is right once. */
export const tokenOf = (n: number): string => `right.${n}`;

/**
 * Turnstile's API as its documentation describes it, and strict: it throws where a request is not as it wants. An answer
 * of the widget is taken once, or again with the same key.
 */
export class Siteverify {
  says: Says = 'as it is';
  calls = 0;
  /** It answers when this is over. */
  busy: Promise<unknown> = Promise.resolve();
  readonly #taken = new Map<string, string>();

  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    this.calls += 1;
    const request = new Request(input, init);
    if (request.url !== 'https://challenges.cloudflare.com/turnstile/v0/siteverify')
      throw new Error(`not its address: ${request.url}`);
    if (request.method !== 'POST') throw new Error(`not a POST: ${request.method}`);
    if (!(request.headers.get('content-type') ?? '').startsWith('application/x-www-form-urlencoded'))
      throw new Error('not a form');
    const sent = new URLSearchParams(await request.text());
    for (const name of sent.keys())
      if (!['secret', 'response', 'remoteip', 'idempotency_key'].includes(name))
        throw new Error(`an unknown parameter: ${name}`);
    const key = sent.get('idempotency_key') ?? '';
    if (!/^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(key))
      return this.#no('bad-request');
    await this.busy;
    if (this.says === 'down') throw new TypeError('connection refused');
    if (this.says === 'page') return new Response('<html>502</html>', { status: 502 });
    if (this.says === 'secret' || sent.get('secret') !== SECRET) return this.#no('invalid-input-secret');
    const token = sent.get('response') ?? '';
    if (token === '') return this.#no('missing-input-response');
    if (!token.startsWith('right.')) return this.#no('invalid-input-response');
    const before = this.#taken.get(token);
    if (before !== undefined && before !== key) return this.#no('timeout-or-duplicate');
    this.#taken.set(token, key);
    return Response.json({
      success: true,
      challenge_ts: '2026-11-25T12:00:00Z', // fixed date: a text that nobody reads
      hostname: 'shop.example',
      'error-codes': [],
      action: '',
      cdata: '',
    });
  };

  #no(code: string): Response {
    return Response.json({ success: false, 'error-codes': [code] });
  }
}
