import { ROUTES, type Admin } from './canary-admin.ts';
import { secretOf, type SecretName } from './canary-values.ts';

/** Documents with a secret's value where its name, or anything else, should be. `value` is that of a secret that is set. */
const wrongSources = (value: string): readonly object[] => {
  const verify = { scheme: 'hmac', header: 'X-Signature' };
  const send = { kind: 'text', message: 'x' };
  const right = { verify, secrets: ['ORDERS_HMAC'] };
  const routed = (route: object): object => ({
    ...right,
    routes: [{ name: 'a', to: '4915112345678', send, ...route }],
  });
  return [
    ...[[value], value].map((secrets) => ({ verify, secrets })),
    ...[
      { scheme: value },
      ...['header', 'algorithm', 'secret', 'prefix'].map((key) => ({ ...verify, [key]: value })),
      { ...verify, header: [value, value] },
      { ...verify, signed: `{${value}}` },
      { ...verify, [value]: 1 },
      { ...verify, url: `https://${value}` },
      { scheme: 'token', in: value },
      { scheme: 'token', in: 'query', name: value },
    ].map((wrong) => ({ ...right, verify: wrong })),
    { verify: value },
    { provider: value },
    { provider: 'meta-whatsapp', secrets: ['META_APP_SECRET'], handshake: { secret: value } },
    ...['account', 'country', 'locale', 'timezone', 'url', 'heartbeat', 'store', 'routes', value].map(
      (key) => ({
        ...right,
        [key]: value,
      }),
    ),
    { ...right, url: `https://hooks.example.com/?${value}` },
    { ...right, dedupe: { key: `{{ payload | ${value} }}` } },
    { ...right, dedupe: { window: value } },
    routed({ name: value }),
    routed({ when: `event.type == "${value}` }),
    routed({ when: `${value} ==` }),
    routed({ to: value }),
    routed({ to: [value, `{{ '${value}' | nothing }}`] }),
    routed({ template: value, send: undefined }),
    routed({ each: `payload.${value} x` }),
    routed({ delay: value, expires: value }),
    routed({ priority: value, on_uncertain: value, max_length: value }),
    routed({ [value]: value }),
    routed({ send: { kind: value, message: 'x' } }),
    routed({ send: { kind: 'text', message: `{% ${value} %}` } }),
    routed({ send: { kind: 'text', message: `${'x'.repeat(50)} {{ payload.${value} | ${value} }}` } }),
    routed({ send: { kind: 'text', message: `the key is ${value}` } }),
    { ...right, routes: [value, { name: value }, { name: value }] },
  ];
};

const wrongAccounts = (value: string): readonly object[] => [
  { notify: { url: `https://hooks.slack.com/services/${value}` } },
  { notify: { url: `https://${value}@example.com/{secret}`, secret: value } },
  { notify: { url: 'https://example.com/{secret}', secret: value, format: value } },
  { notify: value },
  { permanent_errors: [`(${value}`] },
  { permanent_errors: [value] },
  { rate: value, retry: [value], timeout: value, circuit: { failures: value } },
  { [value]: value },
];

/** Publishes what holds the value of a secret, in every place of every document. */
export async function publishMistakes(call: Admin, name: SecretName): Promise<readonly number[]> {
  const value = secretOf(name);
  const encoded = encodeURIComponent(value);
  const statuses: number[] = [];
  const tryIt = async (method: string, path: string, body: unknown, place = path): Promise<void> => {
    statuses.push((await call(method, path, body, place)).status);
  };
  for (const document of wrongSources(value)) await tryIt('PUT', '/sources/mistake', document);
  for (const document of wrongAccounts(value)) await tryIt('PUT', '/accounts/mistake', document);
  for (const kind of ['sources', 'templates', 'recipients', 'accounts', 'silences'])
    await tryIt('PUT', `/${kind}/${encoded}`, { kind: 'text' }, `/${kind}/{name}`);
  await tryIt('PUT', '/templates/mistake', { kind: 'text', message: value });
  await tryIt('PUT', '/templates/mistake', { kind: 'text', message: `{{ ${value} }` });
  await tryIt('PUT', '/recipients/mistake', { numbers: [value] });
  await tryIt('PUT', '/silences/mistake', { when: `event.type == "${value}"` });
  // Over already: it is refused also where its reason may stand in a document.
  const until = new Date(0).toISOString();
  for (const reason of [value, `not ${value}`])
    await tryIt('POST', '/silences', { when: 'event.type == "x"', until, reason });
  await tryIt('POST', '/config', { [value]: {}, sources: { [value]: { [value]: value } }, accounts: value });
  await tryIt('POST', '/config?dry_run=true', { sources: { a: { secrets: [value] } } }, '/config');
  for (const text of [
    value,
    `{"sources": {"a": {"secrets": ["${value}"]}}`,
    `secrets: [${value}]\n`,
    `"${value}"`,
  ])
    for (const path of ['/config', '/sources/mistake', '/messages', '/sources/orders/preview'])
      await tryIt(path === '/sources/mistake' ? 'PUT' : 'POST', path, text);
  return statuses;
}

/** Every route with the value of a secret in its path, its query and its body. */
export async function askForSecrets(call: Admin, name: SecretName): Promise<void> {
  const value = secretOf(name);
  const encoded = encodeURIComponent(value);
  const odd = ['GET /{}', 'POST /config/{}/{}', 'GET /openapi.json/{}', 'DELETE /session'];
  for (const route of [...ROUTES.filter((one) => one.includes('{')), ...odd]) {
    const [method = '', path = ''] = route.split(' ');
    const body = method === 'PUT' ? { kind: 'text' } : undefined;
    await call(method, path.replaceAll(/\{\w*\}/g, encoded), body, path);
  }
  const lists =
    '/events /messages /incidents /silences /rejections /config /config/versions /config/files /status /tail';
  const parameters =
    'state source type since limit cursor event phone version probe text until metric path paths account step from to';
  for (const path of [...lists.split(' '), '/doctor', '/stats', '/stats/series'])
    for (const parameter of [...parameters.split(' '), encoded])
      await call('GET', `${path}?${parameter}=${encoded}`);
  const bodies = [
    ['/messages', { to: value, kind: 'text', message: 'x' }],
    ['/messages', { to: '4915112345678', kind: value, message: 'x' }],
    ['/messages', { account: value, to: '4915112345678', kind: 'text', message: 'x' }],
    ['/messages', { to: '4915112345678', kind: 'text', [value]: value }],
    ['/session', { token: value, code: value, [value]: 1 }],
    ['/session', { code: value }],
    ['/config/takeover', { name: value, [value]: 1 }],
    ['/messages/retry', { state: value, source: value, since: value, [value]: 1 }],
    ['/events/replay', { source: value, text: value, cursor: value, routes: [value], [value]: 1 }],
    ['/events/replay', { text: value }],
    ['/messages/cancel', { state: value, source: value, phone: value, cursor: value, [value]: 1 }],
    ['/sources/orders/preview', { [value]: 1 }],
    ['/sources/orders/preview', { sample: value }],
    ['/sources/orders/preview', { payload: {}, headers: { [`${value} `]: value } }],
    ['/sources/orders/preview', { payload: {}, draft: { secrets: [value], [value]: value } }],
    ['/sources/orders/preview', { payload: {}, drafts: { templates: { [value]: value } } }],
    ['/sources/orders/preview', { body: `{"a": ${value}`, headers: { 'content-type': 'application/json' } }],
  ] as const;
  for (const [path, body] of bodies) await call('POST', path, body);
  for (const draft of wrongSources(value))
    await call('POST', '/sources/mistake/preview', { payload: {}, draft });
}
