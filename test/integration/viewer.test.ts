import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { describeApi } from '../../api-docs/document.ts';
import { ROUTES } from '../../api-docs/routes.ts';
import { parseOwnJson } from '../../src/lib/json.ts';
import { knock } from '../admin/knock.ts';
import { envWith } from '../platform/env.ts';
import { fetchWith } from '../platform/worker.ts';
import { checker } from '../api-docs/fits.ts';
import { eventually, gatewayAnswers, watchOutside } from './outside.ts';
import { take } from './posted.ts';
import { admin, isSent, listOf, message, post, postJson, publish, UNPACED } from './relay.ts';
import { open, text } from './sources.ts';

const TOKEN = { VIEWER_TOKEN: 'viewer-token-of-the-tests', OPERATOR_TOKEN: 'operator-token-of-the-tests' };
const VIEWER = { authorization: `Bearer ${TOKEN.VIEWER_TOKEN}` };

/** Numbers that stand in one place each, so that a find says which place it was. */
const PHONES = {
  sent: '4915121314101',
  failed: '4915122324202',
  list: '4915123334303',
  route: '4915124344404',
  silence: '4915125354505',
  key: '4915126364606',
  note: '4915127374707',
  agent: '4915129394909',
  account: '4915130405010',
  suppressed: '4915131415111',
} as const;

/** Texts that came in, went out, or came back from the gateway. */
const WORDS = [
  'wordofthepayload',
  'wordofthemessage',
  'wordofthegateway',
  'wordoftheheader',
  'wordofthequery',
];

const show = async (path: string, env: Readonly<Record<string, unknown>> = TOKEN): Promise<Response> =>
  knock(env, VIEWER, ['GET', path]);

/** All readings of a text: itself, and the text that each part may be an encoding of, over and over. */
function readings(text: string, depth = 0): readonly string[] {
  const inner = (text.match(/[\w+/-]{12,}/g) ?? []).flatMap((part) => {
    try {
      return depth < 3 ? readings(atob(part.replaceAll('-', '+').replaceAll('_', '/')), depth + 1) : [];
    } catch {
      return [];
    }
  });
  return [text, ...inner];
}

/** The numbers and texts that are found in an answer, in any form. */
const leaks = (text: string): readonly string[] => {
  const all = readings(text).join('\n');
  const dense = all.replaceAll(/[ ()/.+-]/g, '');
  return [
    ...Object.entries(PHONES).flatMap(([name, phone]) => (dense.includes(phone.slice(4)) ? [name] : [])),
    ...WORDS.filter((word) => all.toLowerCase().includes(word)),
  ];
};

const ids: Record<string, string[]> = {};
const document = describeApi('0.0.0');
const misfits = checker(document, { strict: true });

/** Paths of every GET of the description, with each of what there is in the place of its names. */
const addresses = (): readonly (readonly [string, string])[] =>
  ROUTES.filter(({ method }) => method === 'GET').flatMap(({ path }) => {
    const noun = /^\/(\w+)\/\{/.exec(path)?.[1];
    const all = noun === undefined ? [''] : (ids[noun] ?? []);
    if (path === '/stats/series') return [[path, '/stats/series?metric=messages'] as const];
    if (all.length === 0) throw new Error(`nothing stands for the name in ${path}`);
    return all.map((id) => [path, path.replace(/\{\w+\}/, id)] as const);
  });

const content = z.record(
  z.string(),
  z.object({ content: z.record(z.string(), z.object({ schema: z.unknown() })).optional() }),
);

/** The differences between an answer and its description. A masked number counts as a number. */
function wrong(path: string, text: string): readonly string[] {
  const responses: unknown = document.paths?.[path]?.get?.responses;
  const schema = content.safeParse(responses).data?.['200']?.content?.['application/json']?.schema;
  const numbered = text.replaceAll(/\+(\d{4})•••••(\d\d)/g, '$100000$2');
  return schema === undefined ? [] : misfits(schema, JSON.parse(numbered));
}

const accepted = (source: string, body: object) =>
  take(`${source}?q=wordofthequery`, body, { 'x-custom': 'wordoftheheader' });

const payload = (phone: string, more: object = {}) => ({
  phone: `+${phone}`,
  number: Number(phone),
  text: 'wordofthepayload',
  nested: { to: [phone], [phone]: true },
  ...more,
});

beforeAll(async () => {
  watchOutside();
  const refusal = () =>
    Response.json({ success: false, message: `wordofthegateway ${PHONES.failed}` }, { status: 400 });
  gatewayAnswers(PHONES.failed, refusal);
  gatewayAnswers(PHONES.account, () => Response.json({ message: `wordofthegateway` }, { status: 401 }));
  const send = text("{{ 'wordofthe' | append: 'message' }} {{ payload.text }} {{ payload.phone }}");
  const to = '{{ payload.phone }}';
  const incident = { key: '{{ payload.phone }} {{ payload.text }}' };
  const route = { name: 'all', to, send };
  const group = { wait: '1h', interval: '1h' };
  // fixed date: long ago
  const rotation = { order: ['anna'], every: '1w', from: '2020-01-06T09:00', timezone: 'Europe/Berlin' };
  const when = `payload.phone == "${PHONES.silence}"`;
  const set = {
    sources: {
      form: open([route], { subject: '{{ payload.text }} {{ payload.phone }}', dedupe: incident }),
      strict: open([{ ...route, to: '{{ payload.text | phone }}' }]),
      sales: open([route], { account: 'sales' }),
      alerts: open([
        {
          ...route,
          name: 'reported',
          when: `payload.phone != "${PHONES.route}"`,
          to: PHONES.route,
          incident,
        },
        { ...route, name: 'listed', to: ['team', to], incident, group },
      ]),
      signed: { provider: 'stripe', secrets: ['STRIPE_SECRET'] },
      tasks: { provider: 'asana' },
      contact: { provider: 'html-form', origins: 'any', spam: { honeypot: 'website' } },
    },
    templates: { hello: text(`Call +49 151 ${PHONES.route.slice(5)}`) },
    recipients: { team: { people: { anna: PHONES.list }, rotation } },
    silences: { quiet: { when, reason: `asked by 00${PHONES.silence}` } },
    accounts: { default: UNPACED, sales: UNPACED },
  };
  await publish(set);
  await admin('POST', `/config?note=${encodeURIComponent(`for +${PHONES.note}`)}`, set);
  const sent = await accepted('form', payload(PHONES.sent, { type: 'paid' }));
  const failed = await accepted('form', payload(PHONES.failed));
  const strict = await accepted('strict', payload(PHONES.sent));
  const sales = await accepted('sales', payload(PHONES.account));
  const alert = await accepted('alerts', payload(PHONES.key));
  await message(sent.messages[0] ?? '', isSent);
  await message(failed.messages[0] ?? '', ({ state }) => state !== 'queued' && state !== 'sending');
  await message(sales.messages[0] ?? '', ({ attempts }) => attempts.length > 0);
  await post('signed', JSON.stringify(payload(PHONES.sent)), { 'user-agent': `bot +${PHONES.agent}` });
  await postJson('contact?q=wordofthequery', { website: 'x', text: `wordofthepayload ${PHONES.sent}` });
  await admin('POST', '/sources/tasks/pair');
  const until = new Date(Date.now() + 3_600_000).toISOString();
  const of = { source: 'alerts', route: 'reported', keys: ['wordofthepayload'] };
  await admin('POST', '/silences', { of, when, until, reason: `asked by ${PHONES.silence}` });
  await admin('PUT', `/suppressions/${PHONES.suppressed}`, { reason: `asked by +${PHONES.suppressed}` });
  await eventually(async () => expect(await listOf('/rejections')).not.toEqual([]));
  const seen = await (await show('/incidents')).json<{ items: { id: string }[] }>();
  const spam = await (await show('/rejections?spam=true')).json<{ items: { n: number }[] }>();
  Object.assign(ids, {
    rejections: spam.items.map(({ n }) => String(n)),
    sources: ['form', 'alerts', 'tasks', 'signed'],
    templates: ['hello'],
    recipients: ['team'],
    silences: ['quiet'],
    suppressions: [PHONES.suppressed],
    accounts: ['default', 'sales'],
    providers: ['stripe'],
    events: [sent, failed, strict, sales, alert].map(({ event }) => event),
    messages: [sent, failed, sales].flatMap(({ messages }) => messages),
    incidents: seen.items.map(({ id }) => id),
  });
});

/** Where a viewer gets something else than 200. */
const STATUSES = new Map([
  ['/sessions', 403],
  ['/suppressions/{phone}', 403],
]);

describe('a viewer', () => {
  it('finds no number and no text in any answer, and each has the shape that is described', async () => {
    const found: unknown[] = [];
    for (const [path, address] of addresses()) {
      const response = await show(address);
      const text = await response.text();
      const isPaired = path.endsWith('/pair') && !address.includes('tasks');
      const expected = isPaired ? 409 : (STATUSES.get(path) ?? 200);
      const faults = response.status === 200 ? wrong(path, text) : [];
      if (response.status !== expected || leaks(text).length > 0 || faults.length > 0)
        found.push([address, response.status, leaks(text), faults, text.slice(0, 2_000)]);
    }
    expect(found).toEqual([]);
  });

  it('is who must not find them: the same search finds all of them for an editor', async () => {
    const lists = ['events?limit=200', 'messages?limit=200', 'incidents', 'config', 'config/versions'];
    const others = ['silences', 'suppressions', 'rejections', 'doctor', `events/${ids['events']?.[0] ?? ''}`];
    const all = await Promise.all(
      [...lists, ...others, 'accounts/sales/status'].map(async (path) =>
        JSON.stringify((await admin('GET', `/${path}`)).body),
      ),
    );
    expect(leaks(all.join('\n')).toSorted()).toEqual([...Object.keys(PHONES), ...WORDS].toSorted());
  });

  it('finds nothing on any page of any list, and can go through them all', async () => {
    for (const name of ['events', 'messages', 'incidents', 'rejections', 'suppressions', 'config/versions']) {
      const list = `/${name}`;
      const items: object[] = [];
      let cursor: string | null = '';
      do {
        const query: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
        const response = await show(`${list}?limit=1${query}`);
        const text = await response.text();
        expect([list, response.status, leaks(text)]).toEqual([list, 200, []]);
        const page = parseOwnJson<{ items: object[]; next_cursor: string | null }>(text);
        items.push(...page.items);
        cursor = page.next_cursor;
      } while (cursor !== null && items.length < 100);
      expect([list, items.length]).toEqual([list, (await listOf(`${list}?limit=200`)).length]);
    }
  });

  it('can distinguish two people, and sees one person always the same', async () => {
    type Page = { items: { phone: string; params: object }[] };
    const page = await (await show('/messages?source=form')).json<Page>();
    expect(page.items.map(({ phone }) => phone).toSorted()).toEqual(['+4915•••••01', '+4915•••••02']);
    for (const { phone, params } of page.items) expect(params).toEqual({ phone, message: 'hidden' });
  });

  it('opens an incident by the id that everybody has, and none by a key that it guesses', async () => {
    const key = `+${PHONES.key} wordofthepayload`;
    const path = `/incidents/${encodeURIComponent(`alerts/reported/${key}`)}`;
    const found = z.object({ id: z.string(), key: z.string() }).parse((await admin('GET', path)).body);
    expect(found.key).toBe(key);
    const { id } = found;
    expect(ids['incidents']).toContain(id);
    const shown = { id, key: 'hidden', source: 'alerts' };
    expect(await (await show(`/incidents/${id}`)).json()).toMatchObject(shown);
    const of = async (at: string) => {
      const response = await show(at);
      return [response.status, await response.text()];
    };
    const unknown = await of('/incidents/inc_madeup');
    expect(unknown).toEqual([404, expect.any(String)]);
    const other = encodeURIComponent('alerts/reported/none');
    const code = btoa(`alerts/reported/${key}`).replaceAll(/[+/=]/g, '');
    for (const one of [path, `/incidents/${other}`, `/incidents/inc_${code}`, `/incidents/${id}0`])
      expect([one, await of(one)]).toEqual([one, unknown]);
    expect((await show('/incidents?cursor=madeup')).status).toBe(422);
  });

  it('sees metrics without numbers', async () => {
    const request = new Request('https://relay.example/metrics', { headers: VIEWER });
    const ctx = createExecutionContext();
    const response = await fetchWith(request, envWith(TOKEN), ctx);
    await waitOnExecutionContext(ctx);
    const text = await response.text();
    expect([response.status, leaks(text)]).toEqual([200, []]);
    expect(text).toContain('source="form"');
  });

  it('sees payloads and texts where VIEWER_SEES says so, and receivers masked still', async () => {
    const env = { ...TOKEN, VIEWER_SEES: 'payloads' };
    const [id = ''] = ids['events'] ?? [];
    const event = await (await show(`/events/${id}`, env)).json<{ messages: object[] }>();
    expect(event).toMatchObject({
      payload: { text: 'wordofthepayload', phone: '+4915•••••01', number: Number(PHONES.sent) },
      headers: { 'x-custom': 'wordoftheheader' },
      query: { q: 'wordofthequery' },
      messages: [{ phone: '+4915•••••01', params: { phone: '+4915•••••01' } }],
    });
    expect(JSON.stringify(event.messages)).toContain('wordofthemessage');
    expect(wrong('/events/{id}', JSON.stringify(event))).toEqual([]);
    expect(leaks(await (await show('/recipients', env)).text())).toEqual([]);
  });
});

const tailOf = async (headers: Readonly<Record<string, string>>) =>
  (await knock(TOKEN, headers, ['GET', `/tail?cursor=${Date.now() - 5_000}-0`])).text();

describe('the tail', () => {
  it('of a viewer has changes of the same shape without numbers, texts and reasons', async () => {
    gatewayAnswers(PHONES.failed, () =>
      Response.json({ success: false, message: `wordofthegateway ${PHONES.failed}` }, { status: 400 }),
    );
    await accepted('form', payload(PHONES.failed, { text: 'wordofthepayload again' }));
    await accepted('strict', payload(PHONES.sent));
    await post('signed', '{}', { 'user-agent': `bot +${PHONES.agent}` });
    const operator = () => tailOf({ authorization: `Bearer ${TOKEN.OPERATOR_TOKEN}` });
    for (const part of ['"event"', '"rejection"', 'the gateway answered 400'])
      await expect.poll(operator).toContain(part);
    const seen = await tailOf(VIEWER);
    expect(leaks(seen)).toEqual([]);
    expect(seen).toContain('"reason":"hidden"');
    expect(wrong('/tail', seen)).toEqual([]);
  });
});

describe('an operator', () => {
  it('sees numbers, payloads and texts, and may look for them', async () => {
    const headers = { authorization: `Bearer ${TOKEN.OPERATOR_TOKEN}` };
    const found = await knock(TOKEN, headers, ['GET', `/messages?phone=${PHONES.sent}`]);
    expect(await found.text()).toContain('wordofthemessage');
  });
});
