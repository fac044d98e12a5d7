import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { LOGIN, NOW, PHONE, TEXT, failureBody, startBench } from './harness.ts';

const MESSAGES: [path: string, kind: string, params: Record<string, string>][] = [
  ['/send-message.php', 'text', { phone: PHONE, message: 'Grüße & 😀 + 100 %\nzwei' }],
  ['/send-image.php', 'image', { phone: PHONE, image_url: 'https://a.example/a.png', caption: 'Look' }],
  ['/send-voice.php', 'voice', { phone: PHONE, audio_url: 'https://a.example/a.mp3' }],
  [
    '/send-link-preview.php',
    'link-preview',
    { phone: PHONE, url: 'https://a.example/', title: 'T', description: 'D', text: 'X' },
  ],
  ['/send-poll.php', 'poll', { phone: PHONE, question: 'Which?', options: 'One,Two' }],
  ['/status/send-text.php', 'status', { text: 'Open' }],
];

/** The documented success, and nothing else. */
const successBody = z.strictObject({
  success: z.literal(true),
  message: z.string(),
  data: z.strictObject({
    from: z.string().regex(/^\d+$/),
    to: z.string().optional(),
    status_code: z.literal(200),
  }),
});

describe('success', () => {
  test.each(MESSAGES)(
    '%s is answered as documented and kept as it was sent',
    async (endpoint, kind, params) => {
      const bench = await startBench();
      const answer = await bench.call(endpoint, { ...LOGIN, app_key: 'app-77', ...params });
      const to = params['phone'];
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('application/json');
      const { data } = successBody.parse(await answer.json());
      expect(data.to).toBe(to);
      expect(await bench.calls()).toEqual({
        items: [
          {
            id: 1,
            at: new Date(NOW).toISOString(),
            kind,
            endpoint,
            to: to ?? null,
            params,
            outcome: 'accepted',
            status: 200,
            delivered: true,
          },
        ],
        total: 1,
        accepted: 1,
        delivered: 1,
      });
    },
  );
});

describe('refusals over the wire', () => {
  const refusals: [name: string, status: number, reason: string, url: string, init: RequestInit][] = [
    ['GET', 405, 'wrong_method', '/send-message.php', { method: 'GET' }],
    [
      'an unknown endpoint',
      404,
      'unknown_endpoint',
      '/send-fax.php',
      { method: 'POST', body: new URLSearchParams(TEXT) },
    ],
    [
      'JSON',
      415,
      'wrong_content_type',
      '/send-message.php',
      { method: 'POST', body: JSON.stringify(TEXT), headers: { 'content-type': 'application/json' } },
    ],
    [
      'credentials in the URL',
      400,
      'parameter_in_query',
      '/send-message.php?api_key=very-secret',
      { method: 'POST', body: new URLSearchParams(TEXT) },
    ],
    [
      'credentials in a header',
      400,
      'credentials_in_header',
      '/send-message.php',
      { method: 'POST', body: new URLSearchParams(TEXT), headers: { authorization: 'Bearer very-secret' } },
    ],
    [
      'a broken form',
      400,
      'malformed_form',
      '/send-message.php',
      { method: 'POST', body: 'phone=%', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    ],
    [
      'a repeated parameter',
      400,
      'repeated_parameter',
      '/send-message.php',
      { method: 'POST', body: new URLSearchParams([...Object.entries(TEXT), ['phone', PHONE]]) },
    ],
    [
      'a missing parameter',
      400,
      'missing_parameter',
      '/send-message.php',
      { method: 'POST', body: new URLSearchParams(LOGIN) },
    ],
    [
      'an unknown parameter',
      400,
      'unknown_parameter',
      '/send-message.php',
      { method: 'POST', body: new URLSearchParams({ ...TEXT, apikey: 'very-secret' }) },
    ],
    [
      'a phone with a plus',
      400,
      'invalid_parameter',
      '/send-message.php',
      { method: 'POST', body: new URLSearchParams({ ...TEXT, phone: `+${PHONE}` }) },
    ],
    [
      'more than 1 MiB',
      413,
      'body_too_large',
      '/send-message.php',
      { method: 'POST', body: new URLSearchParams({ ...TEXT, message: 'x'.repeat(1024 * 1024) }) },
    ],
  ];

  test.each(refusals)('%s is answered %i %s and recorded', async (_, status, reason, path, init) => {
    const bench = await startBench();
    const answer = await fetch(`${bench.simulator.url}/api${path}`, init);
    expect(answer.status).toBe(status);
    const { message, data } = failureBody.parse(await answer.json());
    expect(data.status_code).toBe(status);
    const { items, total, accepted } = await bench.calls();
    expect(items).toMatchObject([
      { outcome: `refused:${reason}`, status, delivered: false, detail: message },
    ]);
    expect([total, accepted]).toEqual([1, 0]);
    expect(JSON.stringify(items)).not.toContain('very-secret');
  });

  test('405 says what is allowed', async () => {
    const bench = await startBench();
    const answer = await fetch(`${bench.simulator.url}/api/send-message.php`);
    expect(answer.headers.get('allow')).toBe('POST');
  });

  test('a refused call consumes no step of the script', async () => {
    const bench = await startBench();
    await bench.script({ failure: 'status', status: 503 });
    expect((await bench.call('/send-message.php', { ...LOGIN, phone: PHONE })).status).toBe(400);
    expect((await bench.call('/send-message.php', TEXT)).status).toBe(503);
  });

  test('a body of exactly 1 MiB is taken', async () => {
    const bench = await startBench();
    const rest = new URLSearchParams({ ...TEXT, message: '' }).toString().length;
    const answer = await bench.call('/send-message.php', {
      ...TEXT,
      message: 'x'.repeat(1024 * 1024 - rest),
    });
    expect(answer.status).toBe(200);
  });

  test('a caller that leaves in the middle of its body is no call', async () => {
    const bench = await startBench();
    const half = request(`${bench.simulator.url}/api/send-message.php`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'content-length': 100 },
    });
    const gone = new Promise((resolve) => half.on('close', resolve));
    half.on('error', () => undefined);
    half.write('phone=', () => half.destroy());
    await gone;
    expect((await bench.call('/send-message.php', TEXT)).status).toBe(200);
    expect((await bench.calls()).total).toBe(1);
  });
});

describe('credentials', () => {
  const credentials = { email: LOGIN.email, apiKey: LOGIN.api_key, appKey: 'app-77' };
  const full = { ...TEXT, app_key: 'app-77' };

  test('the right login is let in', async () => {
    const bench = await startBench({ credentials });
    expect((await bench.call('/send-message.php', full)).status).toBe(200);
  });

  test.each([{ email: 'x@example.com' }, { api_key: 'wrong-key' }, { app_key: 'wrong-app' }])(
    '%j is answered 401',
    async (change) => {
      const bench = await startBench({ credentials });
      const answer = await bench.call('/send-message.php', { ...full, ...change });
      expect(answer.status).toBe(401);
      expect(await answer.text()).not.toContain('wrong-');
      expect((await bench.calls()).items).toMatchObject([
        { outcome: 'refused:wrong_credentials', params: { message: 'Hello' } },
      ]);
    },
  );

  test('no credential is kept, whatever the outcome', async () => {
    const bench = await startBench({ credentials });
    await bench.script({ failure: 'echo_secret' }, { failure: 'ok' });
    await bench.call('/send-message.php', full);
    await bench.call('/send-message.php', full);
    await bench.call('/send-message.php', { ...full, app_key: 'wrong-app' });
    const { items } = await bench.calls();
    expect(items).toHaveLength(3);
    for (const secret of [LOGIN.email, LOGIN.api_key, 'app-77', 'wrong-app'])
      expect(JSON.stringify(items)).not.toContain(secret);
  });
});

const probe = (bench: Awaited<ReturnType<typeof startBench>>): Promise<Response> =>
  bench.call('/send-poll.php', LOGIN);

describe('a call without content', () => {
  test('fails as the next message would, and leaves the step for it', async () => {
    const bench = await startBench();
    await bench.script({ failure: 'status', status: 500, times: 1 });
    expect((await probe(bench)).status).toBe(500);
    expect((await probe(bench)).status).toBe(500);
    expect((await bench.call('/send-message.php', TEXT)).status).toBe(500);
    expect((await probe(bench)).status).toBe(400);
    expect((await bench.calls()).delivered).toBe(0);
  });

  test('does not fail by a step for one phone, or where calls are only slow', async () => {
    const bench = await startBench();
    await bench.script({ failure: 'status', status: 500, match: { phone: PHONE } });
    expect((await probe(bench)).status).toBe(400);
    await bench.script({ failure: 'slow', ms: 5 });
    expect((await probe(bench)).status).toBe(400);
  });
});
