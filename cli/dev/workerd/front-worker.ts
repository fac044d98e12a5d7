interface FrontEnv {
  readonly ASSETS: Pick<Fetcher, 'fetch'>;
  readonly RELAY: Pick<Fetcher, 'fetch'>;
  /** `run_worker_first` of `wrangler.toml`, as JSON. */
  readonly WORKER_FIRST: string;
  /** A further host that it answers, such as that of a tunnel. */
  readonly PUBLIC_HOST: string;
}

/**
 * The names of this machine. Under another one, a page that a browser has open could reach the port, by a name of its
 * own that it lets point here.
 */
const THIS_MACHINE = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/;

/** Answers the port, as the platform does: a static asset where there is one, and the relay for the rest. */
export default {
  fetch: async (request, env) => {
    const { pathname, hostname, host } = new URL(request.url);
    if (!THIS_MACHINE.test(hostname) && hostname !== env.PUBLIC_HOST) return misdirected(host);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (isRead && !patterns(env.WORKER_FIRST).some((pattern) => matches(pattern, pathname))) {
      const asset = await env.ASSETS.fetch(request);
      if (asset.status !== 404) return asset;
    }
    return env.RELAY.fetch(request);
  },
} satisfies ExportedHandler<FrontEnv>;

function misdirected(host: string): Response {
  const detail = `\`hookbell dev\` answers only this machine, such as http://localhost, and not ${host}. For a tunnel, set PUBLIC_URL=https://${host} and an ADMIN_TOKEN of your own in .dev.vars, and start it again.`;
  return Response.json(
    { type: 'about:blank', title: 'Misdirected Request', status: 421, detail },
    { status: 421, headers: { 'content-type': 'application/problem+json' } },
  );
}

function patterns(json: string): readonly string[] {
  const list: unknown = JSON.parse(json);
  return Array.isArray(list) ? list.map(String) : [];
}

/** A star at the end matches any rest of the path. */
const matches = (pattern: string, path: string): boolean =>
  pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern;
