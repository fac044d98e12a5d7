import { expect, it } from 'vitest';
import text from '../../assets/marks.json?raw';
import { marksText } from '../../scripts/marks.ts';

it('the marks of senders are those that the library has', () => expect(text).toBe(marksText()));
