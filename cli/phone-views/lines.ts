import { complaintsAbout } from './complaints.ts';
import { PRESSED_BY } from './presses.ts';
import type { PhoneMessage, PhoneView, SampleView } from './phone-view.ts';

/** A provider's view as lines of text; what is wrong begins with `!`. */
export const linesOf = ({ provider, locale, samples }: PhoneView): readonly string[] => [
  `=== ${provider.id}, ${locale}`,
  ...samples.flatMap((sample) => ['', ...sampleLines(sample)]),
];

const sampleLines = (sample: SampleView): readonly string[] => [
  `--- ${sample.name}`,
  ...(sample.messages.length === 0 ? [`(nothing${sample.silent === null ? '' : `: ${sample.silent}`})`] : []),
  ...sample.messages.flatMap(messageLines),
  ...complaintsAbout(sample).map((complaint) => `! ${complaint}`),
];

const messageLines = ({ route, to, text, pressed }: PhoneMessage): readonly string[] => [
  `> ${to} (${route})${pressed === undefined ? '' : `, after ${PRESSED_BY} pressed “${pressed}”`}`,
  ...text.split('\n').map((line) => `  ${line}`),
];
