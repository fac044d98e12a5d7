import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { namedIn, namedPart } from '../../../src/ingest/routing/items.ts';
import { ROOTS } from '../../../src/template/basics/scope.ts';
import { compileText, renderText } from '../../../src/template/text.ts';
import { GERMAN, scopeOf } from '../../template/helpers.ts';

function compiled(source: string) {
  const text = compileText(source, ROOTS);
  if (!text.ok) throw new Error(`${source}: ${text.error}`);
  return text.value;
}

/** The part of an item that is kept for a template. */
const kept = (source: string, item: unknown): unknown => namedPart(item, namedIn([compiled(source)]));

const ITEM = {
  summary: 'Disk full',
  'long name': 'x',
  labels: { service: 'db', secret: 'hush' },
  notes: [{ text: 'a', by: 'Ada' }],
  buyer: { name: 'Ada', phone: '1' },
};

it('what is kept of an item is what a template names, or all of it where that cannot be told', () => {
  for (const [source, expected] of [
    ['Disk of service notes', {}],
    ['{{ item.summary | upcase }}', { summary: 'Disk full' }],
    ['{{item.summary-}}', { summary: 'Disk full' }],
    ['{{ item["long name"] }}', { 'long name': 'x' }],
    ['{{ item.labels.service }}', { labels: { service: 'db' } }],
    ['{{ item.labels }}', { labels: ITEM.labels }],
    ['{{ item.labels.size }}', { labels: ITEM.labels }],
    ['{% for one in item.labels %}{{ one[1] }}{% endfor %}', { labels: ITEM.labels }],
    ['{% assign of = item.labels %}{{ of.service }}', { labels: ITEM.labels }],
    ['{{ item.notes[0].text }}', { notes: [{ text: 'a' }] }],
    ['{{ item.notes | map: "text" }}', { notes: ITEM.notes }],
    ['{% for one in firing %}{{ one.item.summary }}{% endfor %}', { summary: 'Disk full' }],
    ['{{ firing.size }} {{ count }} {{ first.item.summary }}', { summary: 'Disk full' }],
    ['{{ firing[0].item.labels.service }}', { labels: { service: 'db' } }],
    ['{{ "}}" | append: item.summary }}', { summary: 'Disk full' }],
    ["{% comment %}don't{% endcomment %}{{ item.summary }}", { summary: 'Disk full' }],
    ['{{ payload.buyer.name }}', { buyer: { name: 'Ada' } }],
  ] as const)
    expect([source, kept(source, ITEM)]).toEqual([source, expected]);
  for (const source of [
    '{{ firing | map: "key" }}',
    '{{ item }}',
    '{{ item | json }}',
    '{{ payload }}',
    '{{ first }}',
    '{{ item[event.type] }}',
    '{% for one in item %}{{ one[0] }}{% endfor %}',
    '{% for one in new %}{{ one }}{% endfor %}',
    '{% for one in new %}{% assign it = one.item %}{{ it.summary }}{% endfor %}',
  ])
    expect([source, kept(source, ITEM)]).toEqual([source, ITEM]);
});

it('what is kept of an item is enough for the template to read the same as of the whole item', () => {
  const name = fc.constantFrom('a', 'b', 'c', 'item', 'size', 'first', 'key');
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<unknown>('a', 'x', 1, null, true),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(name, tie('value'), { maxKeys: 5 }),
    ),
  }));
  const steps = fc
    .array(
      fc.oneof(
        name.map((one) => `.${one}`),
        name.map((one) => `["${one}"]`),
        fc.constant('[0]'),
      ),
      { maxLength: 4 },
    )
    .map((parts) => parts.join(''));
  const part = fc
    .tuple(steps, steps, fc.integer({ min: 0, max: 9 }))
    .map(
      ([one, two, shape]) =>
        [
          `{{ item${one} }}`,
          `{{- item${one} | json -}}`,
          `{% for x in item${one} %}{{ x${two} }}{% endfor %}`,
          `{% for e in firing %}{{ e.item${one} }}{% endfor %}`,
          `{% for e in firing %}{% assign y = e.item${one} %}{{ y${two} }}{% endfor %}`,
          `{{ firing | map: 'item${one}' | join: "," }}`,
          `{{ first.item${one} }}{{ firing.first.item${two} }}`,
          `{% if item${one} == item${two} %}same{% endif %}`,
          `{% assign z = item${one} | where: "a", "x" %}{{ z${two} }}`,
          `{% for e in firing %}{% for f in e %}{{ f${one} }}{% endfor %}{% endfor %}{{ firing.size }}`,
        ][shape] ?? '',
    );
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 3 }), value, (parts, item) => {
      const text = compiled(parts.join(' '));
      const render = (one: unknown) => {
        const names = { items: [{ item: one }], first: { item: one }, item: one };
        return renderText(text, scopeOf({}, { notification: { at: '2026-11-21T06:00:00Z', names } }), GERMAN);
      };
      expect(render(kept(text.source, item))).toEqual(render(item));
    }),
    { numRuns: 200 },
  );
});
