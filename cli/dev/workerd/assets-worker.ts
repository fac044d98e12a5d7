interface AssetsEnv {
  /** A folder. The runtime answers its files as bytes, and its folders as lists. */
  readonly FILES: Fetcher;
}

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  png: 'image/png',
  svg: 'image/svg+xml',
};

/** It describes the assets. Without an extension, it is not served itself. */
const HEADERS_FILE = '/_headers';

/** The static assets, as the platform answers them: with a type, the headers of `_headers` and an `etag`. */
export default {
  fetch: async (request, { FILES }) => {
    const { pathname } = new URL(request.url);
    const path = pathname.endsWith('/') ? `${pathname}index.html` : pathname;
    const [, extension = ''] = /\.(\w+)$/.exec(path) ?? [];
    const type = TYPES[extension];
    // Without an extension it is a folder.
    if (type === undefined) return new Response(null, { status: 404 });
    const found = await FILES.fetch(`https://files.invalid${path}`);
    if (!found.ok) return new Response(null, { status: 404 });
    const bytes = await found.arrayBuffer();
    const rules = await FILES.fetch(`https://files.invalid${HEADERS_FILE}`);
    const headers = new Headers(rules.ok ? headersFor(path, await rules.text()) : []);
    headers.set('content-type', type);
    const etag = `"${await digest(bytes)}"`;
    headers.set('etag', etag);
    if (!headers.has('cache-control')) headers.set('cache-control', 'public, max-age=0, must-revalidate');
    if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers });
    return new Response(request.method === 'HEAD' ? null : bytes, { headers });
  },
} satisfies ExportedHandler<AssetsEnv>;

async function digest(bytes: ArrayBuffer): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return [...hash.subarray(0, 16)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The headers that a text in the format of `_headers` has for a path. */
function headersFor(path: string, text: string): readonly [string, string][] {
  const found: [string, string][] = [];
  let applies = false;
  for (const line of text.split('\n')) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    if (!/^\s/.test(line)) {
      const pattern = line.trim();
      applies = pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern;
    } else if (applies) {
      const colon = line.indexOf(':');
      found.push([line.slice(0, colon).trim(), line.slice(colon + 1).trim()]);
    }
  }
  return found;
}
