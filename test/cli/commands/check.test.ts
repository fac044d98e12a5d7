import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { z } from 'zod';
import { GHOST, WRONG } from '../../config/ghost.ts';
import { demoCopy, folderWith, hookbell, json, refused, shown, expectSays } from '../offline.ts';

const SOURCE = `verify: { scheme: none }
routes:
  - name: hello
    when: payload.phone != blank
    to: '{{ payload.phone }}'
    send:
      kind: text
      message: |-
        Hello {{ payload.name }},
        it is {{ event.received_at | truncate: 10, "" }}.
`;
const message = 'Hello Ada,\nit is 2026-01-05.';
const GREETING = {
  messages: [{ route: 'hello', kind: 'text', phone: '4915112345678', params: { message } }],
};
const ADA = { 'fixtures/shop/ada.json': '{"name": "Ada", "phone": "+4915112345678"}\n' };
const withFixture = (files: Readonly<Record<string, string>>): string =>
  folderWith({ 'sources/shop.yaml': `locale: en-GB\n${SOURCE}`, ...files });

/** What `check` says of files, by lines, without the name of their folder. */
const said = async (files: Readonly<Record<string, string>>): Promise<readonly string[]> => {
  const folder = folderWith(files);
  const { code, stdout, stderr } = await hookbell(['check', folder]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  return stderr.replaceAll(`${folder}/`, '').replaceAll(folder, '').trim().split('\n');
};

const accepted = async (folder: string, name: string): Promise<unknown> => {
  await hookbell(['check', folder, '--update']);
  return JSON.parse(readFileSync(join(folder, `fixtures/${name}.expected.json`), 'utf8'));
};

it('check says what is wrong with a file of a provider, or with a source that says what a provider can', async () => {
  for (const [{ providers = {}, sources = {} }, path, message] of WRONG) {
    const files = Object.entries({ providers, sources }).flatMap(([kind, all]) =>
      Object.entries(all).map(([name, one]) => [`${kind}/${name}.json`, JSON.stringify(one)] as const),
    );
    const [kind = '', name = '', ...rest] = path.split('.');
    const lines = (await said(Object.fromEntries(files))).filter((line) => line.startsWith('error    '));
    expect(lines).toEqual([
      expect.stringContaining(`${[...rest, ''].join('.').slice(0, -1)} ${message}`.trim()),
    ]);
    expect(lines[0]).toContain(`${kind}/${name}.json:`);
  }
  const { code, stderr } = await hookbell([
    'check',
    folderWith({ 'providers/stripe.json': JSON.stringify(GHOST) }),
  ]);
  expect([code, stderr]).toEqual([
    0,
    expect.stringContaining('has the name of a provider that hookbell ships'),
  ]);
});

it('check refuses a file that is not UTF-8, whose letters would arrive as others', async () => {
  const folder = folderWith({ 'sources/shop.yaml': SOURCE });
  const why = 'sources/shop.yaml: is not UTF-8: save it in that encoding';
  for (const encoding of ['latin1', 'utf16le'] as const) {
    writeFileSync(join(folder, 'sources/shop.yaml'), `\ufeff${SOURCE}# Grüße`, encoding);
    expect(await refused(['check', folder])).toContain(why);
  }
});

it('check says file, line and column of what is wrong, as close as it can be known', async () => {
  const source = `provider: stripe
secrets: [A]
routes:
  - name: a
    to: on-cal
    send: { kind: text, message: "Hi {{ payload.x | plein }}" }
  - name: b
    to: '4915112345678'
    send:
      kind: text
      message: |

        First line
        {{ payload.y | mony }}
  - { name: c, to: '4915112345678', send: { kind: text, message: '{{ payload.odd }}' } }
`;
  const lines = (await said({ 'sources/shop.yaml': source, 'sources/a.yaml': 'secretz: [A]\n' })).join('\n');
  for (const line of [
    'sources/a.yaml:1:1: secretz unknown key `secretz`; did you mean `secrets`?',
    'error    sources/shop.yaml:6:53: routes[0].send.message unknown filter "plein" (did you mean "plain"?)\n',
    'sources/shop.yaml:14:24: routes[1].send.message unknown filter "mony"',
    'warning  sources/shop.yaml:15:70: routes[2].send.message of the route c uses `payload.odd`',
  ])
    expect(lines).toContain(line);
  expect(await said({ 'sources/a.json': '{\n  "provider": }\n' })).toEqual([
    expect.stringMatching(/a\.json:2:15: /),
    expect.stringMatching(/^hookbell: 1 error in/),
  ]);
});

it('check says all mistakes with their lines, also beside a document that cannot be read, and Node warns of nothing', async () => {
  const warning = vi.spyOn(process, 'emitWarning');
  const lines = await said({
    'sources/a.yaml': 'verify: { scheme: none }\nroutes:\n  - name: a\n   to: team\n',
    'sources/b.yaml': `verify: { scheme: none }
routes:
  - { name: a, to: team, template: paid }
  - { name: b, to: teem, send: { kind: text, message: hi } }
`,
    'sources/c.yaml': 'verify: { scheme: none }\nroutes:\n  - name: a\n    to: {{ payload.phone }}\n',
    'templates/order.yaml': 'kind: text\nmessage: Order: {{ payload.id }}\n',
    'templates/paid.yaml': 'kind: text\nmessage: *Paid*\n',
    'recipients/team.yaml': "numbers: ['+49 171 555']\n",
  });
  expect(warning).not.toHaveBeenCalled();
  warning.mockRestore();
  expect(lines).toEqual([
    'error    sources/a.yaml:4:4: is indented by 3 spaces; 4 are expected here, as for `name` in line 3',
    '   to: team',
    'error    sources/b.yaml:4:20: routes[1].to there is no recipients list `teem`; did you mean `team`?',
    'error    sources/c.yaml:4:9: YAML reads `{` at the start of a value as a map: put the text in quotes',
    '    to: {{ payload.phone }}',
    'error    templates/order.yaml:2:10: a colon and a space inside a text begin another key: put the text in quotes',
    'message: Order: {{ payload.id }}',
    'error    templates/paid.yaml:2:10: a text cannot begin with `*`, which repeats a value that `&` named: put it in quotes',
    'message: *Paid*',
    'warning  recipients/team.yaml:1:11: numbers[0] "+491…" is not a valid number: the digits after +49, or how many there are, cannot be right',
    'warning  sources/b.yaml:1:9: verify anybody who knows the address can send to this source',
    'hookbell: 5 errors in',
  ]);
});

it('check knows where a name is: in a group there is no payload', async () => {
  const lines = await said({
    'sources/a.yaml': `verify: { scheme: none }
routes:
  - { name: one, to: '+49 171 3920001', group: { wait: 1m }, template: several }
  - { name: two, to: '+49 171 3920001', send: { kind: text, message: '📦日本 {{ title }}' } }
`,
    'templates/several.yaml': "kind: text\nmessage: '{{ title }}'\n",
    'fixtures/a/x.json': '{"data": {"title": "hi"}}',
  });
  expect(lines).toContain(
    'error    templates/several.yaml:2:14: message unknown name "title": this text is about several events; in `{% for x in new %}` … `{% endfor %}` it is `x.item.data.title`',
  );
  // A wide character is one column.
  expect(lines).toContain(
    'error    sources/a.yaml:4:78: routes[1].send.message unknown name "title" (did you mean "payload.data.title"?): the fields of a webhook begin with `payload`',
  );
});

it('check says where it is, and what to write instead, and warns of what it ignores', async () => {
  const notify = "notify:\n  url: 'https://x.example/{secret}'\n  secret: SHOP_SECRET\n";
  const lines = await said({
    'recipients/team.yaml': 'numbers:\n  - +4915112345678\n  - 0049151123456 # Ada\n',
    'templates/paid.yaml': 'kind: text\nmessage: Order #5\n',
    'accounts/default.yaml': notify,
    'sources/shop.yaml': 'provider: stripe\nsecrets:\n  - NOTIFY_PATH\n',
    'sources/a.yaml': SOURCE,
    'sources/a.json': '{}',
    'template/x.yaml': 'kind: text',
    'sources/note.txt': '',
  });
  for (const line of [
    /team\.yaml:2:5: numbers\[0\] must be text: put the number in quotes/,
    /team\.yaml:3:5: numbers\[1\] must be text: put the number in quotes/,
    /warning {2}templates\/paid\.yaml:2:16: .*the text ends before ` #`/,
    /accounts\/default\.yaml:3:\d+: .*must begin with NOTIFY_/,
    /sources\/shop\.yaml:3:\d+: .*begins with NOTIFY_/,
    /a\.yaml: is a second `a`, next to .*a\.json/,
    /template: is ignored; did you mean `templates`\?/,
    /note\.txt: is not a \.yaml or \.json file: ignored/,
  ])
    expect(lines.join('\n')).toMatch(line);
});

it('check prints all of it as JSON, and fails all the same', async () => {
  const folder = demoCopy();
  const line = z.object({ file: z.string(), line: z.number() });
  const shape = z.object({ ok: z.boolean(), errors: z.array(line) });
  expect(await json(['check', folder], shape)).toEqual({ ok: true, errors: [] });
  writeFileSync(join(folder, 'recipients/on-call.yaml'), 'numbers: ["+49 151"]\n');
  const { code, stdout } = await hookbell(['check', folder, '--json']);
  expect(code).toBe(1);
  expect(shape.parse(JSON.parse(stdout))).toMatchObject({ ok: false, errors: [{ line: 1 }] });
});

it('the fixtures of a folder fail where nothing is expected yet, or something else, which is shown; --update accepts it', async () => {
  expect(await refused(['check', withFixture(ADA)])).toMatch(
    /has no expected messages yet\nIf .*, accept them:\n {2}npx hookbell check .* --update/,
  );
  const was = JSON.stringify(GREETING).replace('Hello', 'Good day');
  const folder = withFixture({ ...ADA, 'fixtures/shop/ada.expected.json': was });
  const stderr = await refused(['check', folder]);
  expect(stderr).toMatch(/- +Good day Ada,\n +\+ +Hello Ada,\n +it is/);
  expect(stderr).toContain(
    `If these messages are right, accept them:\n  npx hookbell check ${folder} --update`,
  );
  expect(await accepted(folder, 'shop/ada')).toEqual(GREETING);
  await shown(['check', folder]);
  folderWith({ 'fixtures/shop/ada.expected.json': '{"messages": 5}' }, folder);
  expect(await refused(['check', folder])).toContain('must be `{"messages": [{route, kind');
  expect(await accepted(folder, 'shop/ada')).toEqual(GREETING);
});

it('the fixtures of a folder are not accepted while a document has an error, since its messages are missing', async () => {
  const before = { 'fixtures/shop/ada.expected.json': JSON.stringify(GREETING) };
  const grace = { 'fixtures/shop/ada.json': '{"name": "Grace"}' };
  const folder = withFixture({ ...grace, ...before, 'templates/broken.yaml': 'kind: txt\n' });
  expect(await refused(['check', folder])).not.toContain('accept them');
  expect(await refused(['check', folder, '--update'])).toContain(
    '--update wrote nothing: fix the errors first',
  );
  expect(await accepted(folder, 'shop/ada')).toEqual(GREETING);
});

it('the fixtures of a folder may be whole requests in .http files: form, query and headers, which may choose the language', async () => {
  const folder = folderWith({
    'sources/form.yaml': `verify: { scheme: none }
locale: '{{ headers.x-language }}'
provider: generic
routes:
  - { name: r, to: '{{ payload.phone }}', send: { kind: text, message: '{{ payload.name }} {{ query.page }} {{ headers.x-event }} {{ event.received_at }} 524459995' } }
`,
    'fixtures/form/ada.http':
      '# from the website\nPOST /hooks/form?page=3 HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\nX-Event: sign-up\r\nX-Language: de\r\nDate: Tue, 03 Feb 2026 10:00:00 GMT\r\n\r\nname=Ada+L&phone=%2B4915112345678\n',
  });
  expect(await accepted(folder, 'form/ada')).toMatchObject({
    messages: [{ params: { message: 'Ada L 3 sign-up 2026-02-03T10:00:00.000Z 524459995' } }],
  });
  expect(await shown(['check', folder])).toContain('1 fixture, events in de');
  // Only numbers of people are masked.
  const markdown = await shown(['check', folder, '--markdown']);
  expectSays(markdown, '**form/ada.http**, in de', '+4915•••••78', 'Z 524459995');
  expect(markdown).not.toContain('4915112345678');
});

it('the fixtures of a folder expect failures, too', async () => {
  const folder = withFixture({ 'fixtures/shop/bad.json': '{"name": "Ada", "phone": "12"}' });
  const failures = [expect.stringContaining('route `hello`')];
  expect(await accepted(folder, 'shop/bad')).toMatchObject({ messages: [], failures });
  await shown(['check', folder]);
});

it('the fixtures of a folder are refused with what is wrong with them', async () => {
  const json = 'Content-Type: application/json';
  for (const [file, text, why] of [
    ['fixtures/shop/a.json', '{', /fixtures\/shop\/a\.json:1:2: /],
    ['fixtures/shop/a.http', 'GET\n', /fixtures\/shop\/a\.http:1:1: must be a request line/],
    ['fixtures/shop/a.http', 'POST /hooks/other HTTP/1.1\n\n{}', /posts to `other`/],
    ['fixtures/shp/a.json', '{}', /there is no source `shp`; did you mean `shop`\?/],
    ['fixtures/shop/a.http', `POST /hooks/shop HTTP/1.1\n${json}\n\n{"a":`, /a\.http: .*JSON/i],
  ] as const)
    expect(await refused(['check', withFixture({ [file]: text })])).toMatch(why);
});
