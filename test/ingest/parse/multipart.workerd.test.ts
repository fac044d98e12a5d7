import { describe, expect, it } from 'vitest';
import { parseMediaType } from '../../../src/ingest/parse/media-type.ts';
import { parseMultipart } from '../../../src/ingest/parse/multipart.ts';
import { ok } from '../../../src/lib/result.ts';

const part = (name: string, value: string, more = ''): string =>
  `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
const END = '--b--\r\n';

function parse(body: string, type = 'multipart/form-data; boundary=b') {
  const media = parseMediaType(type);
  if (media === null) throw new Error(`${type} is no media type`);
  return parseMultipart(media, new TextEncoder().encode(body));
}

/** The detail of a refusal. Fails the test if the body is taken. */
async function refusal(body: string, type?: string): Promise<string> {
  const result = await parse(body, type);
  if (result.ok) throw new Error(`taken: ${JSON.stringify(result.value)}`);
  expect(result.error.status).toBe(400);
  return result.error.detail;
}

describe('a multipart body, as the platform parses it', () => {
  it('has fields as a form has them, however its boundary is written', async () => {
    const fields = part('a', '1') + part('b', 'ü\r\n2') + part('a', '3') + END;
    for (const boundary of ['"b"', 'b; charset=utf-8', 'b'])
      expect(await parse(fields, `multipart/form-data; boundary=${boundary}`)).toEqual(
        ok({ a: ['1', '3'], b: 'ü\r\n2' }),
      );
  });

  it('keeps of a file its name, type and size, and takes none called `payload` for JSON', async () => {
    const file = part('f', 'héllo', '; filename="a.txt"\r\nContent-Type: text/plain');
    expect(await parse(part('a', '1') + file + END)).toEqual(
      ok({ a: '1', f: { filename: 'a.txt', type: 'text/plain', size: 6 } }),
    );
    const value = await parse(part('payload', '{}', '; filename="x.json"') + END);
    expect(value).toMatchObject({ ok: true, value: { payload: { filename: 'x.json', size: 2 } } });
  });

  it('keeps names such as `__proto__` as plain own keys', async () => {
    const result = await parse(part('__proto__', '1') + part('constructor', '2') + END);
    const value = result.ok ? result.value : null;
    expect(Object.keys(value ?? {})).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  it('without a boundary, or that is none, is refused, and shows nothing of the body', async () => {
    for (const type of [
      'multipart/form-data',
      'multipart/form-data; boundary=',
      'multipart/form-data; boundary=""',
    ])
      expect(await refusal(part('a', '1') + END, type)).toContain('has no `boundary`');
    for (const body of [
      '',
      'hello',
      '--c\r\n\r\n--c--',
      '--b\r\nContent-Type: text/plain\r\n\r\n1\r\n--b--',
      '--b\r\n\r\n1\r\n--b--',
    ])
      expect(await refusal(body)).toMatch(
        /^The multipart body of \d+ bytes is malformed: .+\. Send it again as a whole\.$/,
      );
    expect(await refusal(part('secret-name', 'secret-value'))).not.toContain('secret');
  });

  it('is refused wherever it is cut off', async () => {
    const whole = part('a', '1') + part('f', 'x--b', '; filename="a.txt"') + '--b--';
    for (let length = 0; length < whole.length; length += 1)
      expect(await refusal(whole.slice(0, length))).toContain('malformed');
    expect((await parse(whole)).ok).toBe(true);
  });
});
