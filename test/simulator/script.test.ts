import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createScript } from '../../simulator/script.ts';
import type { Script } from '../../simulator/script.ts';
import { scriptSchema } from '../../simulator/step.ts';
import { PHONE } from './harness.ts';

const OTHER = '33612345678';

const scriptOf = (steps: unknown[], repeat = false): Script => {
  const script = createScript();
  script.replace(scriptSchema.parse({ steps, repeat }));
  return script;
};
const take = (script: Script, phone: string | null = PHONE) =>
  script.takeAnswer('text', phone)?.failure ?? null;

describe('the order of steps', () => {
  test('calls consume steps one by one, then all is normal again', () => {
    const script = scriptOf([{ failure: 'html' }, { failure: 'empty', times: 2 }]);
    expect([take(script), take(script), take(script), take(script)]).toEqual([
      'html',
      'empty',
      'empty',
      null,
    ]);
  });

  test('a script without repeat answers exactly the sum of its times', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 8 }), (times) => {
        const script = scriptOf(times.map((count) => ({ failure: 'empty', times: count })));
        let taken = 0;
        while (take(script) !== null) taken += 1;
        expect(taken).toBe(times.reduce((sum, count) => sum + count, 0));
      }),
    );
  });

  test('repeat begins again with full times', () => {
    const script = scriptOf([{ failure: 'html', times: 2 }, { failure: 'ok' }], true);
    const taken = Array.from({ length: 6 }, () => take(script));
    expect(taken).toEqual(['html', 'html', 'ok', 'html', 'html', 'ok']);
  });

  test('a new script takes the place of the old one', () => {
    const script = scriptOf([{ failure: 'html', times: 9 }]);
    script.replace({ steps: [], repeat: false });
    expect(take(script)).toBeNull();
  });

  test('what remains is shown with the times that are left', () => {
    const script = scriptOf([{ failure: 'html' }, { failure: 'empty', times: 3 }]);
    take(script);
    take(script);
    expect(script.remaining()).toEqual({ steps: [{ failure: 'empty', times: 2 }], repeat: false });
  });
});

describe('match', () => {
  test('each phone has a sequence of its own', () => {
    const script = scriptOf([
      { failure: 'html', match: { phone: PHONE } },
      { failure: 'cut', match: { phone: OTHER } },
      { failure: 'empty', match: { phone: PHONE } },
    ]);
    expect([take(script, OTHER), take(script, OTHER)]).toEqual(['cut', null]);
    expect([take(script), take(script), take(script)]).toEqual(['html', 'empty', null]);
  });

  test('repeated sequences of two phones do not wait for each other', () => {
    const script = scriptOf(
      [
        { failure: 'html', match: { phone: PHONE } },
        { failure: 'empty', match: { phone: PHONE } },
        { failure: 'cut', match: { phone: OTHER } },
      ],
      true,
    );
    expect([take(script), take(script), take(script), take(script, OTHER), take(script)]).toEqual([
      'html',
      'empty',
      'html',
      'cut',
      'empty',
    ]);
  });

  test('a step for a kind leaves other kinds alone', () => {
    const script = scriptOf([{ failure: 'html', match: { kind: 'poll' } }]);
    expect(take(script)).toBeNull();
    expect(script.takeAnswer('poll', PHONE)?.failure).toBe('html');
  });

  test('a status has no phone and takes no step for one', () => {
    const script = scriptOf([{ failure: 'html', match: { phone: PHONE } }]);
    expect(script.takeAnswer('status', null)).toBeNull();
  });
});

describe('reset_before', () => {
  test('is taken before the body is read, in its turn', () => {
    const script = scriptOf([{ failure: 'html' }, { failure: 'reset_before' }]);
    expect(script.takeResetBefore('text')).toBe(false);
    expect(take(script)).toBe('html');
    expect(script.takeResetBefore('text')).toBe(true);
    expect(script.takeResetBefore('text')).toBe(false);
  });

  test('does not wait for steps of single phones', () => {
    const script = scriptOf([{ failure: 'html', match: { phone: PHONE } }, { failure: 'reset_before' }]);
    expect(script.takeResetBefore('text')).toBe(true);
  });

  test('hits only its kind', () => {
    const script = scriptOf([{ failure: 'reset_before', match: { kind: 'poll' } }]);
    expect(script.takeResetBefore('text')).toBe(false);
    expect(script.takeResetBefore('poll')).toBe(true);
  });
});
