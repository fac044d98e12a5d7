import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { demoCopy, folderWith, hookbell, hookbellProcess, json } from '../support.ts';

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

const problems = z.array(z.object({ message: z.string(), line: z.number(), column: z.number() }));

/** The errors and warnings of a folder. */
async function checked(folder: string) {
  const { stdout } = await hookbell(['check', folder, '--json']);
  return z.object({ errors: problems, warnings: problems }).parse(JSON.parse(stdout));
}

const GREETING = {
  messages: [
    {
      route: 'hello',
      kind: 'text',
      phone: '4915112345678',
      params: { message: 'Hello Ada,\nit is 2026-01-05.' },
    },
  ],
};

const withFixture = (files: Readonly<Record<string, string>>): string =>
  folderWith({ 'sources/shop.yaml': `locale: en-GB\n${SOURCE}`, ...files });

const JSON_FIXTURE = { 'fixtures/shop/ada.json': '{"name": "Ada", "phone": "+4915112345678"}\n' };

describe('check', () => {
  it('takes the demonstration', async () => {
    const { code, stdout, stderr } = await hookbell(['check', 'demo']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/✓ demo: 3 sources, 3 templates, 2 recipient lists, 1 account/);
  });

  it('says file, line and column of what is wrong, as close as it can be known', async () => {
    const folder = folderWith({
      'sources/shop.yaml': [
        'provider: stripe',
        'secretz: [A]',
        'secrets: [A]',
        'routes:',
        '  - name: a',
        '    to: on-cal',
        '    send: { kind: text, message: "Hi {{ payload.x | plein }}" }',
        '  - name: b',
        "    to: '4915112345678'",
        '    send:',
        '      kind: text',
        '      message: |',
        '',
        '        First line',
        '        {{ payload.y | mony }}',
        '',
      ].join('\n'),
      'recipients/on-call.yaml': 'numbers: [49151]\n',
      'templates/unused.yaml': 'kind: txt\n',
    });
    const { code, stderr, stdout } = await hookbell(['check', folder]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    const lines = stderr.replaceAll(`${folder}/`, '').split('\n');
    expect(lines).toContain(
      'error    sources/shop.yaml:2:1: secretz unknown key `secretz`; did you mean `secrets`?',
    );
    expect(lines).toContain(
      'error    recipients/on-call.yaml:1:11: numbers[0] must be text: put the number in quotes, such as "+49 151 12345678"',
    );
    expect(lines.some((line) => line.startsWith('error    templates/unused.yaml:1:'))).toBe(true);

    writeFileSync(
      join(folder, 'sources/shop.yaml'),
      readFileSync(join(folder, 'sources/shop.yaml'), 'utf8').replace('secretz: [A]\n', ''),
    );
    const second = await hookbell(['check', folder]);
    const errors = second.stderr.replaceAll(`${folder}/`, '').split('\n');
    expect(errors).toContain(
      'error    sources/shop.yaml:6:53: routes[0].send.message unknown filter "plein" (did you mean "plain"?)',
    );
    expect(
      errors.some((line) =>
        line.startsWith('error    sources/shop.yaml:14:24: routes[1].send.message unknown filter "mony"'),
      ),
    ).toBe(true);
  });

  it.each([
    ['sources/a.yaml', 'routes:\n  - name: a\n   to: b\n', /sources\/a\.yaml:3:4: /],
    ['sources/a.yaml', 'provider: "unclosed\n', /sources\/a\.yaml:\d+:\d+: /],
    ['sources/a.yaml', 'a: 1\n---\nb: 2\n', /sources\/a\.yaml:2:1: has several documents/],
    ['sources/a.json', '{\n  "provider": }\n', /sources\/a\.json:2:15: /],
    ['sources/a.yaml', 'a: *nowhere\n', /sources\/a\.yaml:1:4: /],
  ])('says where %s cannot be read', async (file, text, message) => {
    const { code, stderr } = await hookbell(['check', folderWith({ [file]: text })]);
    expect(code).toBe(1);
    expect(stderr.split('\n')[0]).toMatch(message);
    expect(stderr.match(/a\.(yaml|json):\d/g)).toHaveLength(1);
  });

  it('says the line as it is written, of every mistake and without a warning of Node', async () => {
    const folder = folderWith({
      'sources/a.yaml': 'verify: { scheme: none }\nroutes:\n  - name: a\n    to: {{ payload.phone }}\n',
      'templates/b.yaml': 'kind: text\nmessage: Order: {{ payload.id }}\n',
    });
    const { code, stderr } = await hookbellProcess(['check', folder]);
    expect({ code, stderr: stderr.replaceAll(`${folder}/`, '').split('\n').slice(0, -2) }).toEqual({
      code: 1,
      stderr: [
        'error    sources/a.yaml:4:9: YAML reads `{` at the start of a value as a map: put the text in quotes',
        '    to: {{ payload.phone }}',
        'error    templates/b.yaml:2:10: a colon and a space inside a text begin another key: put the text in quotes',
        'message: Order: {{ payload.id }}',
      ],
    });
  });

  it('says all mistakes, also of documents beside one that cannot be read', async () => {
    const folder = folderWith({
      'sources/a.yaml': 'verify: { scheme: none }\nroutes:\n  - name: a\n   to: team\n',
      'sources/b.yaml': `verify: { scheme: none }
routes:
  - { name: a, to: team, template: paid }
  - { name: b, to: teem, send: { kind: text, message: hi } }
`,
      'templates/paid.yaml': 'kind: text\nmessage: *Paid*\n',
      'recipients/team.yaml': "numbers: ['+49 171 555']\n",
    });
    const { code, stderr } = await hookbell(['check', folder]);
    expect({ code, stderr: stderr.replaceAll(`${folder}/`, '').trim().split('\n') }).toEqual({
      code: 1,
      stderr: [
        'error    sources/a.yaml:4:4: is indented by 3 spaces; 4 are expected here, as for `name` in line 3',
        '   to: team',
        'error    sources/b.yaml:4:20: routes[1].to there is no recipients list `teem`; did you mean `team`?',
        'error    templates/paid.yaml:2:10: a text cannot begin with `*`, which repeats a value that `&` named: put it in quotes',
        'message: *Paid*',
        'warning  recipients/team.yaml:1:11: numbers[0] "+491…" is not a valid number: the digits after +49, or how many there are, cannot be right',
        'warning  sources/b.yaml:1:9: verify anybody who knows the address can send to this source',
        `hookbell: 3 errors in ${folder}`,
      ].map((line) => line.replaceAll(`${folder}/`, '')),
    });
  });

  it('knows where a name is: in a group there is no payload', async () => {
    const folder = folderWith({
      'sources/a.yaml': `verify: { scheme: none }
routes:
  - { name: one, to: '+49 171 3920001', group: { wait: 1m }, template: several }
  - { name: two, to: '+49 171 3920001', send: { kind: text, message: '📦日本 {{ title }}' } }
`,
      'templates/several.yaml': "kind: text\nmessage: '{{ title }}'\n",
      'fixtures/a/x.json': '{"data": {"title": "hi"}}',
    });
    const { stderr } = await hookbell(['check', folder]);
    const lines = stderr.replaceAll(`${folder}/`, '').split('\n');
    expect(lines).toContain(
      'error    templates/several.yaml:2:14: message unknown name "title": this text is about several events; in `{% for x in new %}` … `{% endfor %}` it is `x.item.data.title`',
    );
    // A wide character is one column.
    expect(lines).toContain(
      'error    sources/a.yaml:4:78: routes[1].send.message unknown name "title" (did you mean "payload.data.title"?): the fields of a webhook begin with `payload`',
    );
  });

  it('says that a number of the phone goes in quotes, and a text that ends before a `#`', async () => {
    const folder = folderWith({
      'recipients/team.yaml': 'numbers:\n  - +4915112345678\n  - 0049151123456 # Ada\n',
      'templates/paid.yaml': 'kind: text\nmessage: Order #5\n',
    });
    const { errors, warnings } = await checked(folder);
    const digits = 'must be text: put the number in quotes, such as "+49 151 12345678"';
    expect(errors).toMatchObject([
      { line: 2, column: 5, message: digits },
      { line: 3, column: 5, message: digits },
    ]);
    expect(warnings).toMatchObject([{ line: 2, column: 16 }]);
    expect(warnings[0]?.message).toContain('the text ends before ` #`');
  });

  it('refuses two files of one name', async () => {
    const folder = folderWith({ 'sources/a.yaml': SOURCE, 'sources/a.json': '{}' });
    const { code, stderr } = await hookbell(['check', folder]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/a\.yaml: is a second `a`, next to .*a\.json/);
  });

  it('warns of a folder that is misspelt, and of a file that is no document', async () => {
    const folder = folderWith({
      'sources/a.yaml': SOURCE,
      'template/x.yaml': 'kind: text',
      'sources/note.txt': '',
    });
    const { code, stderr } = await hookbell(['check', folder]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/template: is ignored; did you mean `templates`\?/);
    expect(stderr).toMatch(/note\.txt: is not a \.yaml or \.json file: ignored/);
  });

  it('shows where fixtures become something else, and --update accepts it', async () => {
    const folder = withFixture({
      ...JSON_FIXTURE,
      'fixtures/shop/ada.expected.json': JSON.stringify(GREETING).replace('Hello', 'Good day'),
    });
    const { code, stderr } = await hookbell(['check', folder]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/- +Good day Ada,\n +\+ +Hello Ada,\n +it is/);
    expect(stderr).toContain(
      `If these messages are right, accept them:\n  npx hookbell check ${folder} --update`,
    );

    expect((await hookbell(['check', folder, '--update'])).code).toBe(0);
    expect(JSON.parse(readFileSync(join(folder, 'fixtures/shop/ada.expected.json'), 'utf8'))).toEqual(
      GREETING,
    );
    expect((await hookbell(['check', folder])).code).toBe(0);
  });

  it('fails where nothing is expected yet, so that no fixture is forgotten', async () => {
    const { code, stderr } = await hookbell(['check', withFixture(JSON_FIXTURE)]);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /has no expected messages yet\nIf .*, accept them:\n {2}npx hookbell check .* --update/,
    );
  });

  it('writes no expectations while a document has an error, since its messages are missing', async () => {
    const folder = withFixture({
      ...JSON_FIXTURE,
      'fixtures/shop/ada.expected.json': JSON.stringify(GREETING),
      'templates/broken.yaml': 'kind: txt\n',
    });
    writeFileSync(join(folder, 'fixtures/shop/ada.json'), '{"name": "Grace"}');
    expect((await hookbell(['check', folder])).stderr).not.toContain('accept them');
    const { code, stderr } = await hookbell(['check', folder, '--update']);
    expect(code).toBe(1);
    expect(stderr).toContain('--update wrote nothing: fix the errors first');
    expect(JSON.parse(readFileSync(join(folder, 'fixtures/shop/ada.expected.json'), 'utf8'))).toEqual(
      GREETING,
    );
  });

  it('writes expectations that cannot be read again', async () => {
    const folder = withFixture({ ...JSON_FIXTURE, 'fixtures/shop/ada.expected.json': '{"messages": 5}' });
    expect((await hookbell(['check', folder])).stderr).toContain('must be `{"messages": [{route, kind');
    expect((await hookbell(['check', folder, '--update'])).code).toBe(0);
    expect((await hookbell(['check', folder])).code).toBe(0);
  });

  it('takes a whole request from an .http file: form, query and headers', async () => {
    const folder = folderWith({
      'sources/form.yaml': `verify: { scheme: none }
provider: generic
routes:
  - { name: r, to: '{{ payload.phone }}', send: { kind: text, message: '{{ payload.name }} {{ query.page }} {{ headers.x-event }} {{ event.received_at }}' } }
`,
      'fixtures/form/ada.http':
        '# from the website\nPOST /hooks/form?page=3 HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\nX-Event: sign-up\r\nDate: Tue, 03 Feb 2026 10:00:00 GMT\r\n\r\nname=Ada+L&phone=%2B4915112345678\n',
    });
    await hookbell(['check', folder, '--update']);
    const expected: unknown = JSON.parse(
      readFileSync(join(folder, 'fixtures/form/ada.expected.json'), 'utf8'),
    );
    expect(expected).toMatchObject({
      messages: [{ params: { message: 'Ada L 3 sign-up 2026-02-03T10:00:00.000Z' } }],
    });
  });

  it('expects of a later notification the text that it would have now', async () => {
    const folder = folderWith({
      'sources/alerts.yaml': `verify: { scheme: none }
routes:
  - name: on-call
    to: '4915112345678'
    each: payload.alerts
    incident: { key: '{{ item.id }}' }
    group: { by: ['{{ item.of }}'] }
    send: { kind: text, message: '{{ count }}: {{ firing | map: "key" | join: ", " }}' }
`,
      'fixtures/alerts/two.json': '{"alerts": [{"id": "a"}, {"id": "b"}]}',
    });
    await hookbell(['check', folder, '--update']);
    const expected: unknown = JSON.parse(
      readFileSync(join(folder, 'fixtures/alerts/two.expected.json'), 'utf8'),
    );
    expect(expected).toEqual({
      messages: [{ route: 'on-call', kind: 'text', phone: '4915112345678', params: { message: '2: a, b' } }],
    });
  });

  it('expects failures, too', async () => {
    const folder = withFixture({ 'fixtures/shop/bad.json': '{"name": "Ada", "phone": "12"}' });
    await hookbell(['check', folder, '--update']);
    const expected: unknown = JSON.parse(
      readFileSync(join(folder, 'fixtures/shop/bad.expected.json'), 'utf8'),
    );
    expect(expected).toMatchObject({ messages: [], failures: [expect.stringContaining('route `hello`')] });
    expect((await hookbell(['check', folder])).code).toBe(0);
  });

  it('says where a secret is named that belongs to a source, or to a notice', async () => {
    const notify = "notify:\n  url: 'https://x.example/{secret}'\n  secret: SHOP_SECRET\n";
    const shop = `provider: stripe\nsecrets:\n  - NOTIFY_PATH\n`;
    const { code, stderr } = await hookbell([
      'check',
      folderWith({ 'accounts/default.yaml': notify, 'sources/shop.yaml': shop }),
    ]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/accounts\/default\.yaml:3:\d+: .*must begin with NOTIFY_/);
    expect(stderr).toMatch(/sources\/shop\.yaml:3:\d+: .*begins with NOTIFY_/);
  });

  it.each([
    ['fixtures/shop/a.json', '{', /fixtures\/shop\/a\.json:1:2: /],
    ['fixtures/shop/a.http', 'GET\n', /fixtures\/shop\/a\.http:1:1: must be a request line/],
    ['fixtures/shop/a.http', 'POST /hooks/other HTTP/1.1\n\n{}', /posts to `other`/],
    ['fixtures/shp/a.json', '{}', /there is no source `shp`; did you mean `shop`\?/],
    [
      'fixtures/shop/a.http',
      'POST /hooks/shop HTTP/1.1\nContent-Type: application/json\n\n{"a":',
      /a\.http: .*JSON/i,
    ],
  ])('says what is wrong with the fixture %s', async (file, text, message) => {
    const { code, stderr } = await hookbell(['check', withFixture({ [file]: text })]);
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
  });

  it('prints all of it as JSON, and fails all the same', async () => {
    const folder = demoCopy();
    const shape = z.object({
      ok: z.boolean(),
      errors: z.array(z.object({ file: z.string(), line: z.number() })),
    });
    expect(await json(['check', folder], shape)).toEqual({ ok: true, errors: [] });
    writeFileSync(join(folder, 'recipients/on-call.yaml'), 'numbers: ["+49 151"]\n');
    const { code, stdout } = await hookbell(['check', folder, '--json']);
    expect(code).toBe(1);
    expect(shape.parse(JSON.parse(stdout))).toMatchObject({ ok: false, errors: [{ line: 1 }] });
  });
});
