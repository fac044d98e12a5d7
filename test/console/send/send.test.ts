import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sendSchema } from '../relay.mjs';
import {
  bodyOf,
  faultsOf,
  isEmpty,
  NOTHING_TYPED,
  paramsOf,
  textsOf,
} from '../../../console/pages/send/fields.ts';
import { KIND_NAMES } from '../../../src/gateway/kinds.ts';
import { choiceOf, readChoices, withChoice, type Choices } from '../../../console/pages/send/remember.ts';

const kind = fc.constantFrom(...KIND_NAMES);
const word = fc.string({ minLength: 1, maxLength: 20 }).filter((text) => text.trim() !== '');

describe('a message that is typed', () => {
  it('is one that the relay takes, once nothing is marked', () => {
    fc.assert(
      fc.property(kind, word, fc.array(word, { minLength: 2, maxLength: 5 }), (kind, text, options) => {
        const texts = Object.fromEntries(
          textsOf(kind).map(([name, { holds }]) => [name, holds === 'url' ? 'https://a.example/b' : text]),
        );
        const typed = { texts, options };
        expect(faultsOf(kind, typed)).toEqual({});
        expect(sendSchema.safeParse(bodyOf(kind, typed)).success).toBe(true);
      }),
    );
  });
  it('is marked where it has nothing', () => {
    expect(faultsOf('text', NOTHING_TYPED)).toEqual({ message: 'required' });
    expect(faultsOf('poll', NOTHING_TYPED)).toEqual({ question: 'required', options: 'twoOptions' });
    expect(faultsOf('image', { texts: { image_url: 'a.png' }, options: [] })).toEqual({
      image_url: 'address',
    });
    expect(KIND_NAMES.every((kind) => isEmpty(kind, NOTHING_TYPED))).toBe(true);
  });
  it('leaves out what is empty and not needed, and what belongs to another kind', () => {
    const texts = { url: 'https://a.example', title: '', message: 'of the text' };
    expect(bodyOf('link-preview', { texts, options: ['x', 'y'] })).toEqual({
      kind: 'link-preview',
      url: 'https://a.example',
    });
  });
  it('shows the options of a poll as the phone will', () => {
    const typed = { texts: { question: 'Q' }, options: ['Yes, please', ' No ', ''] };
    expect(paramsOf('poll', typed)).toEqual({ question: 'Q', options: 'Yes\u201A please,No' });
  });
});

describe('the last choice for a receiver', () => {
  it('is remembered, for the last twenty of them', () => {
    let choices: Choices = [];
    for (let n = 0; n < 25; n += 1) choices = withChoice(choices, String(n), { kind: 'poll', account: '' });
    choices = withChoice(choices, '24', { kind: 'text', account: 'sales' });
    expect(choices).toHaveLength(20);
    expect(choiceOf(choices, '24')).toEqual({ kind: 'text', account: 'sales' });
    expect(choiceOf(choices, '4')).toBeNull();
    expect(readChoices(JSON.stringify(choices))).toEqual(choices);
  });
  it('is nothing where the browser has something else', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(() => readChoices(text)).not.toThrow();
      }),
    );
    expect(readChoices('[["a",{"kind":"pigeon","account":""}]]')).toEqual([]);
    expect(readChoices(null)).toEqual([]);
  });
});
