import { describe, expect, it } from 'vitest';
import {
  partsOf,
  withField,
  withKind,
  withOptions,
  wordsOf,
} from '../../../console/pages/templates/fields.ts';
import { KIND_NAMES, MESSAGE_KINDS, paramsOf } from '../../../src/gateway/kinds.ts';

const poll = {
  kind: 'poll',
  question: 'Who?',
  options: ['I', 'You'],
  fallback: [{ kind: 'text', message: 'm' }],
};
const paths = (document: Readonly<Record<string, unknown>>) =>
  partsOf(document).flatMap(({ fields }) => fields.map(({ path }) => path));

describe('the fields of a text', () => {
  it('are the parameters of each of the gateway’s kinds', () => {
    for (const kind of KIND_NAMES) {
      const fields = partsOf(withKind({}, kind)).flatMap((part) => part.fields);
      const wanted = paramsOf(kind).map(([name, { isOptional = false }]) => [name, isOptional] as const);
      expect(new Map(fields.map(({ name, isOptional }) => [name, isOptional]))).toEqual(new Map(wanted));
    }
  });

  it('are named as the API names them', () => {
    expect(paths(poll)).toEqual(['question', 'options[0]', 'options[1]', 'fallback[0].message']);
  });

  it('change alone', () => {
    expect(withField(poll, 'options[1]', 'We')).toEqual({ ...poll, options: ['I', 'We'] });
    expect(withField(poll, 'fallback[0].message', 'n')).toEqual({
      ...poll,
      fallback: [{ kind: 'text', message: 'n' }],
    });
    expect(withOptions(poll, (old) => [...old, ''])).toEqual({ ...poll, options: ['I', 'You', ''] });
  });

  it('have the list of any kind that has one', () => {
    const params = { title: { holds: 'line' }, choices: { holds: 'list' } };
    Reflect.set(MESSAGE_KINDS, 'quiz', { path: 'send-quiz.php', hasReceiver: true, params });
    try {
      const quiz = { kind: 'quiz', title: 'Who?', choices: ['I', 'You'] };
      expect(partsOf(quiz).map(({ list }) => list)).toEqual(['choices']);
      expect(withOptions(quiz, (old) => [...old, ''])).toEqual({ ...quiz, choices: ['I', 'You', ''] });
    } finally {
      Reflect.deleteProperty(MESSAGE_KINDS, 'quiz');
    }
    const [part] = partsOf({ kind: 'text', message: 'm' });
    expect(part?.list).toBeUndefined();
  });

  it('are left out when they are optional and empty', () => {
    const image = { kind: 'image', image_url: 'u', caption: 'c' };
    expect(withField(image, 'caption', '')).toEqual({ kind: 'image', image_url: 'u' });
    expect(withField(image, 'image_url', '')).toEqual({ ...image, image_url: '' });
  });

  it('keep their words when the kind changes', () => {
    expect(withKind({ kind: 'text', message: 'Hi' }, 'image')).toEqual({
      kind: 'image',
      image_url: '',
      caption: 'Hi',
    });
    expect(withKind(poll, 'text')).toEqual({ kind: 'text', message: 'Who?', fallback: poll.fallback });
  });

  it('are shown in a list by their words, whatever was published', () => {
    expect(wordsOf({ kind: 'image', image_url: 'u' })).toBe('u');
    expect(wordsOf({ kind: 'pigeon' })).toBe('');
    expect(wordsOf({ kind: 'text', message: 5 })).toBe('');
  });
});
