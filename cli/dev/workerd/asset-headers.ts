/** The headers that a text in the format of `_headers` has for a path. */
export function headersFor(path: string, text: string): readonly [string, string][] {
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
