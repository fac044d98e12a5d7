import { SENDERS, type Proof, type SenderId } from './canary-senders.ts';
import type { Answered, Ask } from './canary-stage.ts';
import { GUESS, PAYLOAD_TEXT, secretOf } from './canary-values.ts';

/** A webhook as its sender means it; `extra` goes along unasked for. */
export function post(ask: Ask, id: SenderId, payload: object, extra: Proof = {}): Promise<Answered> {
  const body = JSON.stringify(payload);
  const proof: Proof = SENDERS[id].prove(body);
  const query = [proof.query, extra.query].filter((one) => one !== undefined).join('&');
  return ask(`/hooks/${id}`, 'POST', `/hooks/${id}${proof.path ?? ''}${query === '' ? '' : `?${query}`}`, {
    headers: { 'content-type': 'application/json', ...extra.headers, ...proof.headers },
    body: proof.body ?? body,
  });
}

/** A webhook that is right, with its secret in further places, as some senders have it. */
export function postTwiceOver(ask: Ask, id: SenderId, payload: object): Promise<Answered> {
  const secret = secretOf(SENDERS[id].secret);
  const encoded = encodeURIComponent(secret);
  return post(ask, id, payload, {
    query: `note=${encoded}&token=${encoded}&${encoded}=1`,
    headers: { 'x-note': `it is ${secret}`, 'x-sender-key': secret, cookie: secret, referer: `/?${secret}` },
  });
}

/** The right secret in every place where it is not looked for, and what else a sender may get wrong. */
export async function postWrongly(ask: Ask, id: SenderId): Promise<readonly number[]> {
  const secret = secretOf(SENDERS[id].secret);
  const encoded = encodeURIComponent(secret);
  const place = `/hooks/${id}`;
  const body = JSON.stringify({ id: 'wrong', text: PAYLOAD_TEXT.value });
  const json = { 'content-type': 'application/json' };
  const wrong: readonly Proof[] = [
    {},
    ...['k', 'token', 'note', encoded].map((name) => ({ query: `${name}=${encoded}` })),
    ...['x-debug', 'referer', 'user-agent', 'cookie', 'x-signature', 'x-hook-secret'].map((name) => ({
      headers: { ...json, [name]: secret },
    })),
    { headers: { ...json, authorization: `Bearer ${secret.slice(0, -1)}` } },
    { headers: { ...json, authorization: `Basic ${btoa(`wrong:${secret}`)}` } },
    { headers: { 'content-type': `application/${secret}` } },
    { headers: { ...json, 'x-token': GUESS.value, 'x-signature': GUESS.value } },
    { body: JSON.stringify({ secret, auth: { code: `${secret}x` }, code: secret.slice(1) }) },
    { body: `{"secret": "${secret}` },
    { body: secret, headers: { 'content-type': 'text/plain' } },
    { path: `/${encoded}x` },
    { path: `/more/${encoded}` },
  ];
  const statuses: number[] = [];
  for (const one of wrong) {
    const path = `${place}${one.path ?? ''}${one.query === undefined ? '' : `?${one.query}`}`;
    const answered = await ask(place, 'POST', path, {
      headers: one.headers ?? json,
      body: one.body ?? body,
    });
    statuses.push(answered.status);
  }
  for (const method of ['GET', 'DELETE', 'OPTIONS', 'HEAD'])
    statuses.push((await ask(place, method, `${place}?token=${encoded}`)).status);
  // The secret where the source's name should be, and as a path of its own.
  for (const path of [
    `/hooks/${encoded}`,
    `/${encoded}`,
    `/hooks/a/b/${encoded}`,
    `/hooks/%E0%A4%A${encoded}`,
  ])
    statuses.push((await ask('somewhere', 'POST', path, { headers: json, body })).status);
  return statuses;
}

/** Of a verified sender, whose bodies nobody can make sense of. */
export async function postMalformed(ask: Ask, id: 'by-header' | 'by-basic' | 'by-path'): Promise<void> {
  const { headers = {}, path = '' }: Proof = SENDERS[id].prove('');
  const secret = secretOf(SENDERS[id].secret);
  const bodies = [
    ['application/json', `{"secret": "${secret}", ${PAYLOAD_TEXT.value}`],
    ['application/xml', `<a>${secret}</b>`],
    ['application/x-www-form-urlencoded', `code=%${secret}&=%zz`],
    ['multipart/form-data; boundary=x', `--x\r\n${secret}`],
    [`text/plain; charset=${secret}`, 'text'],
    [`application/x-${secret}`, 'text'],
    [secret, 'text'],
  ] as const;
  for (const [type, body] of bodies)
    await ask(`/hooks/${id}`, 'POST', `/hooks/${id}${path}`, {
      headers: { ...headers, 'content-type': type },
      body,
    });
}
