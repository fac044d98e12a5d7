import { describe, expect, it } from 'vitest';
import { compileTemplate } from '../../src/config/compile/route.ts';
import type { TemplateDocument } from '../../src/config/documents/schema.ts';
import { renderSends } from '../../src/render/fallback.ts';
import type { Fit } from '../../src/render/send.ts';
import type { Scope } from '../../src/template/basics/scope.ts';

const IMAGE = { kind: 'image', image_url: '{{ payload.image }}' } as const;
const LINK = { kind: 'link-preview', url: '{{ payload.link }}' } as const;
const TEXT = { kind: 'text', message: '{{ payload.text }}' } as const;

function render(payload: object, template: TemplateDocument, fit: Partial<Fit> = {}) {
  const send = compileTemplate(template, (path, message) => {
    throw new Error(`${path}: ${message}`);
  });
  if (send === null) throw new Error('not compiled');
  const event = { id: 'evt_1', type: null, source: 's', received_at: '', dedupe_key: null };
  const scope: Scope = { payload, event, headers: {}, query: {} };
  const locale = { country: undefined, locale: 'en', timezone: 'UTC' };
  return renderSends({ name: 'r', maxLength: 100, overflow: 'fail', ...fit }, send, scope, locale);
}

const ALL = { ...IMAGE, fallback: [LINK, TEXT] };
const IMAGE_AT = 'https://a.example/1.png';
const LINK_TO = 'https://a.example/';

describe('a template with fallbacks', () => {
  it('is its own message, and carries the others in order', () => {
    const link = { kind: 'link-preview', params: { url: LINK_TO } };
    const fallback = [link, { kind: 'text', params: { message: 'hi' } }];
    const value = { kind: 'image', sets: [{ image_url: IMAGE_AT }], fallback, reason: null, notes: [] };
    expect(render({ image: IMAGE_AT, link: LINK_TO, text: 'hi' }, ALL)).toEqual({ ok: true, value });
  });

  it.each([
    ['the picture', { link: LINK_TO, text: 'hi' }, ['link-preview', 'text'], 'is sent'],
    ['the link', { image: IMAGE_AT, text: 'hi' }, ['image', 'text'], 'left out'],
    ['the text', { image: IMAGE_AT, link: LINK_TO }, ['image', 'link-preview'], 'left out'],
    ['all but the text', { text: 'hi' }, ['text'], 'is sent'],
  ])('goes on without %s if that cannot be rendered, and says so', (_, payload, kinds, then) => {
    const made = render(payload, ALL);
    if (!made.ok) throw new Error('nothing was rendered');
    const { kind, fallback, notes, reason } = made.value;
    expect([kind, ...fallback.map((one) => one.kind)]).toEqual(kinds);
    expect(notes[0]?.reason).toContain(then);
    expect(reason === null).toBe(kind === 'image');
  });

  it('fails with the reasons of the template if none can be rendered, and names what is left out', () => {
    const made = render({}, ALL);
    expect(made.ok ? [] : made.error.map(({ parameter }) => parameter)).toEqual(['image_url']);
    const left = render({ image: IMAGE_AT, link: 'ftp://x', text: 'hi' }, ALL);
    expect(left.ok && left.value.notes.map(({ parameter }) => parameter)).toEqual(['fallback[0].url']);
  });

  it('splits what is sent first, and cuts what comes after it', () => {
    const split = { maxLength: 10, overflow: 'split' } as const;
    const first = { ...TEXT, fallback: [{ ...TEXT, message: 'second {{ payload.text }}' }] };
    const made = render({ text: 'one two three four' }, first, split);
    expect(made.ok && made.value.sets.map(({ message }) => message)).toEqual(['one two', 'three four']);
    expect(made.ok && made.value.fallback.map(({ params }) => params['message'])).toEqual(['second on…']);
  });

  it('leaves out what does not fit into one row', () => {
    const long = '☕'.repeat(65_000);
    const poll = { kind: 'poll' as const, question: '{{ payload.long }}', options: ['a', 'b'] };
    const made = render({ long }, { ...poll, fallback: [poll, poll, poll] }, { maxLength: 65_536 });
    const size = made.ok ? JSON.stringify([made.value.sets[0], made.value.fallback]).length * 3 : Infinity;
    expect(size).toBeLessThan(1_000_000);
  });
});
