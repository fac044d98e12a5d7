import type { EventDetail } from '../../api/types.ts';

type RecordedEvent = Pick<
  EventDetail,
  'id' | 'source' | 'type' | 'received_at' | 'payload' | 'headers' | 'query'
>;

/** Headers about the connection, or about the bytes that are not kept. */
const OF_TRANSPORT =
  /^(?:host|connection|content-(?:type|length|encoding)|transfer-encoding|accept-encoding|date|via|x-forwarded-.*|x-real-ip|cf-.*|cdn-loop)$/;

/** A request in a file for `hookbell check`. Of a body only the payload is kept, so it is JSON; `Date` keeps its times. */
export function fixtureOf({ id, source, type, received_at, payload, headers, query }: RecordedEvent) {
  const search = new URLSearchParams({ ...query }).toString();
  const isText = typeof payload === 'string';
  const lines = [
    `POST /hooks/${encodeURIComponent(source)}${search === '' ? '' : `?${search}`} HTTP/1.1`,
    `content-type: ${isText ? 'text/plain; charset=utf-8' : 'application/json'}`,
    `date: ${new Date(received_at).toUTCString()}`,
    ...Object.entries(headers ?? {})
      .filter(([name]) => !OF_TRANSPORT.test(name))
      .map(([name, value]) => `${name}: ${value.replaceAll(/[\r\n]+/g, ' ')}`),
  ];
  const body = isText ? payload : JSON.stringify(payload, null, 2);
  return { name: `${nameOf(type ?? '') || id}.http`, text: `# ${id}\n${lines.join('\n')}\n\n${body}\n` };
}

/** Returns the type as a file name that every system allows. */
const nameOf = (type: string): string =>
  type
    .replaceAll(/[^\w.-]+/g, '-')
    .replaceAll(/^[.-]+|[.-]+$/g, '')
    .slice(0, 80);

export function save(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has read it by then.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
