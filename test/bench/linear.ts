import { parseArgs } from 'node:util';
import { table } from '../../scripts/docs/page.ts';
import { parseMediaType } from '../../src/ingest/parse/text.ts';
import { splitText, truncateGraphemes, truncateTo } from '../../src/lib/text.ts';
import { loggable } from '../../src/lib/log.ts';
import { maskNumbers } from '../../src/lib/numbers.ts';
import { redact } from '../../src/lib/redact.ts';
import { plain } from '../../src/template/filters/chat.ts';
import { parsePhone } from '../../src/phone/read.ts';

const SECRETS = ['whsec_abcdefghijklmnop', 'relay@example.com', 'user:pa\\\\ss/word', 'ü€😀 secret', 'key'];

/** The beginnings of escapes and encodings, and of the secrets. */
const ESCAPES = String.raw`\ \\ \u % &#0 &#x / = whsec_ user:pa\ %&#0whsec_ \u=/`.split(' ');

/** Characters that join their neighbours, blanks, and what looks like the beginning of something. */
const BEGINNINGS = '\u0600|\u0600 | |\n| \u0301|👨‍👩‍👧|1 |+1-|0|*`|a.|a@|www.|;a="\\"'.split('|');

/** Work on strangers' texts, and what the texts repeat. */
const WORK: Readonly<Record<string, readonly [parts: readonly string[], work: (text: string) => unknown]>> = {
  'a redaction': [ESCAPES, (text) => redact(text, SECRETS)],
  'a redaction of a text that was cut': [ESCAPES, (text) => redact(text, SECRETS, true)],
  'a split into pieces': [BEGINNINGS, (text) => splitText(text, 4_096)],
  'a cut': [BEGINNINGS, (text) => truncateTo(text, 4_096)],
  'a cut of characters': [BEGINNINGS, (text) => truncateGraphemes(text, 4_096)],
  'a glimpse for the log': [BEGINNINGS, loggable],
  'masked numbers': [BEGINNINGS, maskNumbers],
  'a text without formatting': [BEGINNINGS, plain],
  'a phone number': [BEGINNINGS, (text) => parsePhone(text, { country: 'DE' })],
  'a media type': [BEGINNINGS, (text) => parseMediaType(`a/b${text}`)],
};

/** Times are compared where the work is long enough for the clock. */
const MIN_MS = 0.5;
/** No body, header or text that is worked on has more characters. */
const MAX_SIZE = 1 << 20;
/** The clock of a thread may tick every few milliseconds. */
const MEASURED_MS = 24;
const MAX_RUNS = 200;
/** A neighbour's work takes the caches away now and then. */
const TRIES = 3;
const DOUBLINGS = 4;
/** The most that twice the size may cost. Linear work comes to 2, quadratic work to 4. */
const MOST = 3;

/**
 * `npx node test/bench/linear.ts`: what twice as long a text costs, as a ratio of processor time within this run. `--check` fails where it is
 * more than three times as much.
 */
function main(): void {
  const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
  const rows = Object.entries(WORK).map(([name, [parts, work]]) => {
    const ratios = parts.map((part) => [ratioOf(part, work), JSON.stringify(part)] as const);
    const [ratio, part] = ratios.reduce((worst, one) => (one[0] > worst[0] ? one : worst));
    if (values.check && ratio > MOST) process.exitCode = 1;
    return [name, ratio.toFixed(2), part, ratio > MOST ? '**too much**' : ''];
  });
  process.stdout.write(`${table(['work', 'twice as long costs', 'of the worst text', ''], rows)}\n`);
}

/** The cost of a doubling; 0: all sizes are so cheap that it does not matter. */
function ratioOf(part: string, work: (text: string) => unknown): number {
  const runOf = (size: number): (() => unknown) => {
    const text = part.repeat(Math.ceil(size / part.length));
    return () => work(text);
  };
  for (let size = 1 << 10; size * 2 ** DOUBLINGS <= MAX_SIZE; size *= 2) {
    const small = runOf(size);
    if (costOf(small) < MIN_MS) continue;
    const large = runOf(size * 2 ** DOUBLINGS);
    let least = Infinity;
    for (let tries = 0; tries < TRIES && least > MOST; tries += 1)
      least = Math.min(least, (costOf(large) / costOf(small)) ** (1 / DOUBLINGS));
    return least;
  }
  return 0;
}

/** The time of this thread that a run takes, in ms. */
function costOf(run: () => unknown): number {
  const before = process.threadCpuUsage();
  for (let runs = 1; ; runs += 1) {
    run();
    const { user, system } = process.threadCpuUsage(before);
    const ms = (user + system) / 1_000;
    if (ms >= MEASURED_MS || runs === MAX_RUNS) return ms / runs;
  }
}

main();
