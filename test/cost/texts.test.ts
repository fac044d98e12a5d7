import { describe, it } from 'vitest';
import { splitText, truncateGraphemes, truncateTo } from '../../src/lib/graphemes.ts';
import { glimpseOf } from '../../src/lib/log.ts';
import { maskNumbers } from '../../src/lib/mask-numbers.ts';
import { plain } from '../../src/template/filters/chat.ts';
import { parsePhone } from '../../src/template/filters/phone.ts';
import { parseMediaType } from '../../src/ingest/parse/media-type.ts';
import { expectLinear } from './growth.ts';

/** Characters that join their neighbours, blanks, and what looks like the beginning of something. */
const HOSTILE = [
  '\u0600',
  '\u0600 ',
  ' ',
  '\n',
  ' \u0301',
  '👨‍👩‍👧',
  '1 ',
  '+1-',
  '0',
  '*`',
  'a.',
  'a@',
  'www.',
  ';a="\\"',
];

const WORK: Readonly<Record<string, (text: string) => unknown>> = {
  'a split into pieces': (text) => splitText(text, 4_096),
  'a cut': (text) => truncateTo(text, 4_096),
  'a cut of characters': (text) => truncateGraphemes(text, 4_096),
  'a glimpse for the log': glimpseOf,
  'masked numbers': maskNumbers,
  'a text without formatting': plain,
  'a phone number': (text) => parsePhone(text, 'DE'),
  'a media type': (text) => parseMediaType(`a/b${text}`),
};

describe.each(Object.entries(WORK))('%s', (_, work) => {
  it.each(HOSTILE)('costs in proportion to the length of a text of %j', (part) => {
    expectLinear((size) => {
      const text = part.repeat(Math.ceil(size / part.length));
      return () => work(text);
    });
  });
});
