import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { demoCopy, folderWith, expectSays } from '../offline.ts';
import { post } from '../relay.ts';
import { expectRefused, json, shown } from '../support.ts';

const shape = z.object({ messages: z.array(z.object({ phone: z.string().nullable() })) });

describe('preview', () => {
  beforeAll(() => shown('push examples/demo --yes'));

  it('shows what a sample becomes, and why the other routes do not match', async () => {
    const stdout = await shown('preview shop-payments --sample invoice.payment_failed');
    expect(stdout).toMatch(/not matched {2}paid\n +`when` is false/);
    expect(await shown('preview shop-payments --samples')).toContain('│ Thanks Ada Lovelace!');
  });

  it('takes a payload, a body in a file, and a body by stdin', async () => {
    const payload = '{"name":"Ada","phone":"0151 12345678","email":"a@example.com","message":"Hi"}';
    const given = await json(['preview', 'contact-form', '--payload', payload], shape);
    expect(given.messages.map(({ phone }) => phone)).toEqual(['4915112345678', '4915112345678']);
    const form = 'preview contact-form -H "Content-Type: application/x-www-form-urlencoded" --body';
    const input = 'name=Ada&phone=0151+12345678&message=Hi';
    const file = await json(`${form} ${join(folderWith({ 'form.txt': input }), 'form.txt')}`, shape);
    expect(await json(`${form} -`, shape, { input })).toEqual(file);
    expect(file.messages).toHaveLength(2);
  });

  it('tries documents that are not published: one source, or a folder', async () => {
    const route = "{ name: a, to: '4915112345699', send: { kind: text, message: hi } }";
    const folder = folderWith({ 'new.yaml': `verify: { scheme: none }\nroutes: [${route}]\n` });
    const draft = await json(`preview new --draft ${join(folder, 'new.yaml')} --payload {}`, shape);
    expect(draft.messages).toEqual([{ phone: '4915112345699' }]);
    const exact = folderWith({
      'new.yaml': `verify: { scheme: none }\nroutes: [${route.replace('hi', "'{{ payload.id }}'")}]\n`,
    });
    const id = '5402118833907716093';
    const command = ['preview', 'new', '--draft', join(exact, 'new.yaml'), '--payload', `{"id":${id}}`];
    expect(await shown(command)).toContain(id);
    const copy = demoCopy();
    writeFileSync(join(copy, 'recipients/on-call.yaml'), "numbers: ['4915112345698']\n");
    const drafts = await json(`preview alerts --folder ${copy} --sample firing`, shape);
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
    const preview = (payload: string) =>
      shown(['preview', 'later', '--draft', join(folder, 'later.yaml'), '--payload', payload]);
    const fires = await preview('{"id":"disk","of":"db"}');
    expect(fires).toContain('fires disk, group ["db"], inhibited by later/a/cluster/eu or later/cluster/eu');
    expect(fires).toContain('│ 1 firing');
    const ended = await preview('{"over":true}');
    expect(ended).toContain('resolves without a key');
    expect(ended).toMatch(/warning {2}a\.incident\.key: /);
  });

  it('compares what the last events would become with what was sent', async () => {
    const headers = { authorization: 'Bearer demo-alertmanager-token' };
    await post('alerts', { status: 'firing', alerts: [{ labels: { alertname: 'Down' } }] }, headers);
    const last = 'preview alerts --last 1';
    expect(await shown(last)).toContain('1 event: 1 the same');
    const copy = demoCopy();
    const template = "kind: text\nmessage: 'Look: {{ item.labels.alertname }}'\n";
    writeFileSync(join(copy, 'templates/alert.yaml'), template);
    const changed = await shown(`${last} --folder ${copy}`);
    expectSays(changed, '+ Look: Down', '1 changed');
    writeFileSync(join(copy, 'recipients/on-call.yaml'), "numbers: ['4915112345697']\n");
    await shown('suppressions add 4915112345697');
    expect(await shown(`${last} --folder ${copy}`)).toMatch(
      /warning {2}\S+\.to: 4915112345697 has opted out/,
    );
    await shown('suppressions remove 4915112345697');
    const summary = z.object({ summary: z.object({ events: z.number() }) });
    expect((await json(last, summary)).summary.events).toBe(1);
  });

  it('says what is wrong with what it is given, in one line', () =>
    expectRefused([
      ['preview shop-payments', 2, 'give exactly one of'],
      ['preview shop-payments --sample x --payload {}', 2, 'give exactly one of'],
      ['preview shop-payments --payload {', 2, '--payload is not JSON'],
      ['preview shop-payments --payload {} -H nothing', 2, '--header must be "name: value"'],
      ['preview shop-payments --body /nowhere.txt', 1, 'there is no file /nowhere.txt'],
      ['preview shop-payments --sample checkout', 1, 'known ones: test; checkout.session.completed'],
      ['preview shop-paymens --payload {}', 1, 'no source `shop-paymens`; did you mean `shop-payments`?'],
      ['preview x --payload {} --draft /nowhere.yaml', 1, 'there is no file /nowhere.yaml'],
      ['preview shop-payments --last 51', 2, 'from 1 to 50'],
    ]));
});
