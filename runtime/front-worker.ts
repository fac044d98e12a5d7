interface FrontEnv {
  readonly ASSETS: Fetcher;
  readonly RELAY: Fetcher;
  /** `run_worker_first` of `wrangler.toml`, as JSON. */
  readonly WORKER_FIRST: string;
}

/** Answers the port, as the platform does: a static asset where there is one, and the relay for the rest. */
export default {
  fetch: async (request, env) => {
    const { pathname } = new URL(request.url);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (isRead && !patterns(env.WORKER_FIRST).some((pattern) => matches(pattern, pathname))) {
      const asset = await env.ASSETS.fetch(request);
      if (asset.status !== 404) return asset;
    }
    return env.RELAY.fetch(request);
  },
} satisfies ExportedHandler<FrontEnv>;

function patterns(json: string): readonly string[] {
  const list: unknown = JSON.parse(json);
  return Array.isArray(list) ? list.map(String) : [];
}

/** A star at the end matches any rest of the path. */
const matches = (pattern: string, path: string): boolean =>
  pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern;
