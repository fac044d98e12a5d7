import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { demoCopy, folderWith, hookbell, hookbellProcess, json, post } from '../support.ts';

const shape = z.object({ messages: z.array(z.object({ phone: z.string().nullable() })) });

describe('preview', () => {
  beforeAll(async () => {
    await hookbell(['push', 'demo', '--yes']);
  });

  it('shows what a sample becomes, and why the other routes do not match', async () => {
    const { code, stdout } = await hookbell([
      'preview',
      'shop-payments',
      '--sample',
      'invoice.payment_failed',
    ]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/not matched {2}paid\n +`when` is false/);
    const all = await hookbell(['preview', 'shop-payments', '--samples']);
    expect(all.stdout).toContain('│ Thanks Ada Lovelace!');
  });

  it('takes a payload, a body in a file, and a body by stdin', async () => {
    const payload = JSON.stringify({
      name: 'Ada',
      phone: '0151 12345678',
      email: 'a@example.com',
      message: 'Hi',
    });
    const given = await json(['preview', 'contact-form', '--payload', payload], shape);
    expect(given.messages.map(({ phone }) => phone)).toEqual(['4915112345678', '4915112345678']);
    const form = ['-H', 'Content-Type: application/x-www-form-urlencoded'];
    const body = 'name=Ada&phone=0151+12345678&message=Hi';
    const folder = folderWith({ 'form.txt': body });
    const file = await json(['preview', 'contact-form', '--body', join(folder, 'form.txt'), ...form], shape);
    const piped = await hookbellProcess(['preview', 'contact-form', '--body', '-', '--json', ...form], {
      input: body,
    });
    expect(shape.parse(JSON.parse(piped.stdout)).messages).toEqual(file.messages);
    expect(file.messages).toHaveLength(2);
  });

  it('tries documents that are not published: one source, or a folder', async () => {
    const folder = folderWith({
      'new.yaml':
        "verify: { scheme: none }\nroutes: [{ name: a, to: '4915112345699', send: { kind: text, message: hi } }]\n",
    });
    const draft = await json(
      ['preview', 'new', '--draft', join(folder, 'new.yaml'), '--payload', '{}'],
      shape,
    );
    expect(draft.messages).toEqual([{ phone: '4915112345699' }]);
    const copy = demoCopy();
    writeFileSync(join(copy, 'recipients/on-call.yaml'), "numbers: ['4915112345698']\n");
    const drafts = await json(['preview', 'alerts', '--folder', copy, '--sample', 'firing'], shape);
    expect(new Set(drafts.messages.map(({ phone }) => phone))).toEqual(new Set(['4915112345698']));
  });

  it('shows what waits for a notification, and what would be sent now', async () => {
    const folder = folderWith({
      'later.yaml': `verify: { scheme: none }
routes:
  - name: a
    to: '4915112345699'
    incident: { key: '{{ payload.id }}', resolved: payload.over, inhibited_by: cluster/eu }
    group: { by: ['{{ payload.of }}'] }
    send: { kind: text, message: '{{ count }} firing' }
`,
    });
    const draft = ['preview', 'later', '--draft', join(folder, 'later.yaml'), '--payload'];
    const { stdout } = await hookbell([...draft, '{"id":"disk","of":"db"}']);
    expect(stdout).toContain('fires disk, group ["db"], inhibited by later/a/cluster/eu or later/cluster/eu');
    expect(stdout).toContain('│ 1 firing');
    const ended = await hookbell([...draft, '{"over":true}']);
    expect(ended.stdout).toContain('resolves without a key');
    expect(ended.stdout).toMatch(/warning {2}a\.incident\.key: /);
  });

  it('compares what the last events would become with what was sent', async () => {
    const headers = { authorization: 'Bearer demo-alertmanager-token' };
    await post('alerts', { status: 'firing', alerts: [{ labels: { alertname: 'Down' } }] }, headers);
    const same = await hookbell(['preview', 'alerts', '--last', '1']);
    expect(same.stdout).toContain('1 event: 1 the same');
    const copy = demoCopy();
    writeFileSync(
      join(copy, 'templates/alert.yaml'),
      "kind: text\nmessage: 'Look: {{ item.labels.alertname }}'\n",
    );
    const changed = await hookbell(['preview', 'alerts', '--last', '1', '--folder', copy]);
    expect(changed.stdout).toContain('+ Look: Down');
    expect(changed.stdout).toContain('1 changed');
    writeFileSync(join(copy, 'recipients/on-call.yaml'), "numbers: ['4915112345697']\n");
    await hookbell(['suppressions', 'add', '4915112345697']);
    const warned = await hookbell(['preview', 'alerts', '--last', '1', '--folder', copy]);
    expect(warned.stdout).toMatch(/warning {2}\S+\.to: 4915112345697 has opted out/);
    await hookbell(['suppressions', 'remove', '4915112345697']);
    const asJson = z.object({ summary: z.object({ events: z.number() }) });
    expect((await json(['preview', 'alerts', '--last', '1'], asJson)).summary.events).toBe(1);
  });

  it.each([
    [['shop-payments'], 2, /give exactly one of/],
    [['shop-payments', '--sample', 'x', '--payload', '{}'], 2, /give exactly one of/],
    [['shop-payments', '--payload', '{'], 2, /--payload is not JSON/],
    [['shop-payments', '--payload', '{}', '-H', 'nothing'], 2, /--header must be "name: value"/],
    [['shop-payments', '--body', '/nowhere.txt'], 1, /there is no file \/nowhere\.txt/],
    [
      ['shop-payments', '--sample', 'checkout'],
      1,
      /no such sample; known ones: checkout\.session\.completed/,
    ],
    [['shop-paymens', '--payload', '{}'], 1, /no source `shop-paymens`; did you mean `shop-payments`\?/],
    [['x', '--payload', '{}', '--draft', '/nowhere.yaml'], 1, /there is no file \/nowhere\.yaml/],
    [['shop-payments', '--last', '51'], 2, /from 1 to 50/],
  ])('says what is wrong with %j', async (args, exit, message) => {
    const { code, stdout, stderr } = await hookbell(['preview', ...args]);
    expect(stderr).toMatch(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect({ code, stdout }).toEqual({ code: exit, stdout: '' });
  });
});
