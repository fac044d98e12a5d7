import { expect, it } from 'vitest';
import { eventScope } from '../../../src/ingest/request/event.ts';
import { renderMessages } from '../../../src/ingest/routing/match.ts';
import { linksVisitor, visitorScope } from '../../../src/ingest/routing/visitor.ts';
import type { Scope } from '../../../src/template/basics/scope.ts';
import { eventOf, PHONE, sourceOf } from '../support.ts';

const scopeOf = (payload: unknown): Scope => ({
  payload,
  event: {
    id: 'evt_1',
    type: 't',
    source: 'contact',
    received_at: '2026-01-01T00:00:00Z',
    dedupe_key: 'words',
  },
  headers: { referer: 'https://shop.example/' },
  query: { a: 'b' },
});

const nameOf = (name: unknown): unknown =>
  Reflect.get(Object(visitorScope(scopeOf({ name, message: 'words' }), { names: ['name'] }).payload), 'name');

it('a message to a visitor sees nothing of the form but names', () => {
  const { payload, headers, query, event } = visitorScope(scopeOf({ name: 'Ada', message: 'words' }), {
    names: ['name'],
  });
  expect({ payload, headers, query }).toEqual({ payload: { name: 'Ada' }, headers: {}, query: {} });
  expect(event).toMatchObject({ id: 'evt_1', type: null, dedupe_key: null });
});

it('a message to a visitor has a name on one line, without formatting, not long, and none that is no text', () => {
  for (const [name, shown] of [
    ['*Ada* ~x~ `y`', 'Ada x y'],
    ['Ada\n\nLovelace', 'Ada Lovelace'],
    ['x'.repeat(80), 'x'.repeat(39) + '…'],
    [{}, undefined],
    [['a'], undefined],
    [7, undefined],
    [null, undefined],
  ] as const)
    expect([name, nameOf(name)]).toEqual([name, shown]);
});

it('a message to a visitor is found out when name and text make a link together', () => {
  expect(linksVisitor([{ message: 'evil.com' }])).toBe(true);
  expect(linksVisitor([{ message: 'https://shop.example' }])).toBe(true);
  expect(linksVisitor([{ message: 'Thank you, Dr. Who! Back at 9.00, z.B. on Monday.' }])).toBe(false);
});

const name = { kind: 'name' };
const FORM = {
  provider: 'html-form',
  verify: undefined,
  origins: ['https://shop.example'],
  countries: ['DE'],
  fields: { name, company: name, phone: { kind: 'phone' } },
};

/** What the phone of a stranger shows, when this was typed into a form. */
function sent(fields: object, message = 'Hello {{ payload.name | plain }}, thank you.', fallback?: object) {
  const send = { kind: 'text', message, ...(fallback && { fallback: [fallback] }) };
  const route = { name: 'thanks', to: '{{ payload.phone }}', to_visitor: true, send };
  const source = sourceOf({ ...FORM, routes: [route] });
  const event = eventOf(source, { type: null, payload: { phone: `+${PHONE}`, ...fields } });
  const [compiled] = source.routes;
  if (compiled === undefined) throw new Error('no route');
  const room = { messages: 9, characters: 9_999, now: 0 };
  return renderMessages(compiled, eventScope(event), source.locale, room);
}
const textOf = (fields: object, message?: string) => sent(fields, message).messages[0]?.params['message'];

/** Numbers and links, as strangers write them into the field for a name. */
const ATTACKS = `Ruf 0*9*0*0*1*2*3*4*5*6*7|Paket: 0_1_5_1_2_3_4_5_6_7_8|09 00 12 34 56 78|a1 b2 c3 d4
0\u200b9\u200b0\u200b0|0\u{e0030}9\u034f0\u3164\u{fe0f}0
0\ufe0f\u20e39\ufe0f\u20e30\ufe0f\u20e30\ufe0f\u20e3|٠١٥١٢٣|۰۹۰۰|०९००|๐๙๐๐|０９００|𝟎𝟗𝟎𝟎|🯰🯹🯰🯰|①②③④|❶❷❸❹|⑴⑵⑶⑷
⒈⒉⒊⒋|⁰⁹⁰⁰|₀₉₀₀|〇九〇〇一二|零·九·零·零|一 三 8〇|〡〢〣〤|1*.*2*.*3*.*4/x|evil*.com|evil*。com/x|evil~．com|evil｡com
evil․com|evil…com|evil\u200b.\u2060com|evil.\ufeffcom|evil.\u0301com|evil\ufe52com|ｅｖｉｌ．ｃｏｍ|пример.рф
例子。中国|مثال.إختبار|उदाहरण.भारत|i❤.ws|x.💩.la|t.me/x|@evil|a＠b|https://evil|http：／／evil|tel:110|evil／pay
***\u200b`.split(/[|\n]/);

/** Names, and how they arrive if that differs. */
const NAMES = `Ada Lovelace|Ð'Arcy|O’Neill|O´Neill>O’Neill|Dr. Müller|J. R. R. Tolkien|J.R.R. Tolkien
Ada Lovelace Ph.D.|Jean-Luc|J.-P. Sartre|Mari\u0301a José>María José|Sammy Davis Jr.|Juan III
Juan Ⅲ>Juan III|R2D2|Anna / Tom|Kumar s/o Rajan|Per K:son|ம.மு. சாமி|Nguyễn Thị Minh Khai
Ελένη Παπαδοπούλου|Олена Ющенко|Գևորգ Էմին|თამარ|李小龙|三宅一生|マイケル・ジャクソン|ｶﾅ>カナ|김연아|محمد بن سلمان|مُحَمَّد
דָּוִד|א.ב. יהושע|علی\u200cرضا>علیرضا|नरेन्द्र मोदी|தமிழ்ச்செல்வன்|ශ්\u200dරී>ශ්රී|กำพล น้ำฝน|ຄຳ
ကျော်စွာ|អង្គរ|ᠮᠣᠩᠭᠣᠯ|ሀይሌ ገብረሥላሴ|Ada 🌸`.split(/[|\n]/);

it('the name of a visitor, on the phone of whoever it is sent to is left out whole if it may be a number or a link, in any script; a real one arrives', () => {
  for (const attack of ATTACKS)
    expect([attack, textOf({ name: attack })]).toEqual([attack, 'Hello, thank you.']);
  for (const each of NAMES) {
    const [typed, arrives = typed] = each.split('>');
    // What arrived is judged as what was typed.
    for (const name of [typed, arrives])
      expect([each, textOf({ name })]).toEqual([each, `Hello ${arrives}, thank you.`]);
  }
});

it('the name of a visitor, on the phone of whoever it is sent to makes no number or link together with another name or the text, also in a fallback', () => {
  const both = 'Hello {{ payload.name }} {{ payload.company }}!';
  expect(textOf({ name: '015', company: '12' }, both)).toBe('Hello!');
  expect(textOf({ name: 'Ada', company: 'evil.com' }, both)).toBe('Hello Ada!');
  for (const [message, fallback] of [
    ['{{ payload.name }}.com'],
    ['Hello', { kind: 'text', message: '{{ payload.name }}.com' }],
  ] as const)
    expect(sent({ name: 'evil' }, message, fallback)).toMatchObject({ messages: [], failures: [{}] });
});
