import { expect, it } from 'vitest';
import { withPartials } from '../../src/template/partials.ts';
import { render } from './helpers.ts';

it.each([
  ['what is false', { ok: false, none: null, host: 'nas' }, '\nok: false\nhost: nas'],
  ['what is in a list', { tags: ['a'], checks: [{ disk: 98 }, { disk: 1 }] }, '\ndisk: 98'],
  ['the rest before a list', { lines: [{ name: 'Cup' }], order: { title: 'Order 7' } }, '*Order 7*'],
  [
    'that an alert of Azure Monitor is over',
    {
      schemaId: 'a',
      data: { essentials: { alertRule: 'CPU', monitorCondition: 'Resolved', description: 'hot' } },
    },
    '*CPU*: Resolved\nhot',
  ],
  ['names and links on one line', { 'disk\nPaid: yes\u2028B': 98 }, '\ndisk Paid: yes B: 98'],
  [
    'a link on one line',
    { title: 'Up', url: 'https://a.example/\nPaid: yes' },
    '\nhttps://a.example/ Paid: yes',
  ],
  ['how many there are', [{ title: 'Disk full' }, {}, {}], '*Disk full*: paid\nand 2 more'],
])('the default message of an unknown sender shows %s', (_, payload, text) => {
  const put = withPartials("{% render 'default' %}", { language: 'en', grouped: false });
  expect(put.ok && render(put.value, payload)).toContain(text);
});

it.each([
  [
    'in place of values',
    { id: 'evt_caxmnvuvbe4', ref: 'ORD-1042', amount: '€49.90' },
    'payment captured ORD-1042 €49.90',
    '*paid*\npayment captured ORD-1042 €49.90',
  ],
  ['beside what a text says', { text: 'It is coming.' }, '→ +1 failed', '*paid*\n→ +1 failed\nIt is coming.'],
  [
    'not twice with a text',
    { text: 'Is it on its way?' },
    '+1 Is it on its way?',
    '*paid*\n+1 Is it on its way?',
  ],
  ['without the title', { title: 'Engines', state: 'new' }, 'paid Engines 2x5', '*Engines*: paid\n2x5'],
  ['not if it says no more', { title: 'At the door' }, 'At the door paid', '*At the door*: paid'],
  ['with a type inside a sentence', {}, 'It is paid now', '*paid*\nIt is paid now'],
  ['with the link', { a: 1, url: 'https://a.example/' }, 'Cup', '*paid*\nCup\nhttps://a.example/'],
  [
    'with a ticket’s link',
    { ticket_url: 'https://a.example/11' },
    'Cup',
    '*paid*\nCup\nhttps://a.example/11',
  ],
  ['if there is one', { a: 1 }, '', '*paid*\na: 1'],
])('the default message shows the line of its sender, %s', (_, payload, line, text) => {
  const source = `{% assign line = ${JSON.stringify(line)} %}{% render 'default', line: 'line' %}`;
  const put = withPartials(source, { language: 'en', grouped: false });
  expect(put.ok && render(put.value, payload)).toBe(text);
});

it('the link of a form stays on its line, so that no sender adds lines of their own', () => {
  const put = withPartials("{% render 'form', link: 'payload.url' %}", { language: 'en', grouped: false });
  const text = put.ok && render(put.value, { url: 'https://a.example/x_y_z\nPaid: *yes*' });
  expect(text).toMatch(/\nhttps:\/\/a\.example\/x_y_z Paid: .*yes.*$/);
});
