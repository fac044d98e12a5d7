import { connect } from 'cloudflare:sockets';
import { describe, expect, it, vi } from 'vitest';
import { canReach, type Connect } from '../../src/gateway/reach.ts';

const url = new URL('https://gateway.example:8443/api/send-message.php');
const noFetch = () => Promise.reject(new Error('Network connection lost.'));

/** A socket whose `opened` settles as given; `closed` fails with it, as workerd's does. */
const socket = (opened: Promise<SocketInfo>): ReturnType<Connect> => ({
  opened,
  closed: opened.then(() => undefined),
  close: () => Promise.resolve(),
});

const refused: Connect = () => socket(Promise.reject(new Error('proxy request failed')));
const hanging: Connect = () => socket(new Promise<SocketInfo>(() => undefined));
const thrower: Connect = () => {
  throw new TypeError('Specified address could not be parsed.');
};

describe('canReach', () => {
  it('is enough that a socket opens; nothing is requested', async () => {
    const fetch = vi.fn(noFetch);
    const connects = vi.fn<Connect>(() => socket(Promise.resolve({})));
    expect(await canReach(url, { connect: connects, fetch, timeoutMs: 1_000 })).toBe(true);
    expect(connects).toHaveBeenCalledWith(
      { hostname: 'gateway.example', port: 8443 },
      { secureTransport: 'on', allowHalfOpen: false },
    );
    expect(fetch).not.toHaveBeenCalled();
  });

  it.each([
    ['http://gateway.example/api/x', 80, 'off'],
    ['https://gateway.example/api/x', 443, 'on'],
  ])('%s is port %d with TLS %s', async (address, port, secureTransport) => {
    const connects = vi.fn<Connect>(() => socket(Promise.resolve({})));
    await canReach(new URL(address), { connect: connects, fetch: noFetch, timeoutMs: 1_000 });
    expect(connects).toHaveBeenCalledWith(
      { hostname: 'gateway.example', port },
      expect.objectContaining({ secureTransport }),
    );
  });

  it('where no socket is allowed, any answer to HEAD counts', async () => {
    const fetch = vi.fn(() => Promise.resolve(new Response(null, { status: 405 })));
    expect(await canReach(url, { connect: refused, fetch, timeoutMs: 1_000 })).toBe(true);
    expect(fetch).toHaveBeenCalledWith(url, expect.objectContaining({ method: 'HEAD', redirect: 'manual' }));
  });

  it.each([521, 523, 525, 526, 530])('%d is Cloudflare saying that it could not connect', async (status) => {
    const fetch = () => Promise.resolve(new Response(null, { status }));
    expect(await canReach(url, { connect: refused, fetch, timeoutMs: 1_000 })).toBe(false);
  });

  it('is not reached when neither works', async () => {
    expect(await canReach(url, { connect: thrower, fetch: noFetch, timeoutMs: 1_000 })).toBe(false);
  });

  it('a socket that does not open in time is not open', async () => {
    expect(await canReach(url, { connect: hanging, fetch: noFetch, timeoutMs: 5 })).toBe(false);
  });

  it('reports a port that nobody listens on, over real sockets', async () => {
    expect(await canReach(new URL('http://127.0.0.1:1/api/x'), { connect, fetch, timeoutMs: 5_000 })).toBe(
      false,
    );
  });
});
