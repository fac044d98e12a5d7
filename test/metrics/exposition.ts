/** One line of an exposition. */
interface Line {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A metric as its text says it. */
export interface Metric {
  readonly type: string;
  readonly help: string;
  readonly lines: readonly Line[];
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const LABEL = '[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\["\\\\n])*"';
const SAMPLE = new RegExp(`^(${NAME})(?:\\{(${LABEL}(?:,${LABEL})*)\\})? (\\S+)$`);
const LABELS = new RegExp(`(${LABEL.replace('="', ')="(').replace(/"$/, ')"')}`, 'g');
const NUMBER = /^(?:[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?|[+-]Inf|NaN)$/i;

/**
 * Prometheus's text format 0.0.4, read strictly: each line is a HELP, a TYPE or a sample, the lines of a metric stand
 * together under its HELP and TYPE, no sample comes twice, and histograms are whole. Throws at the first that is not so.
 */
export function parseExposition(text: string): ReadonlyMap<string, Metric> {
  if (!text.endsWith('\n')) throw new Error('the last line does not end');
  const metrics = new Map<string, { type: string; help: string; lines: Line[] }>();
  const seen = new Set<string>();
  let current: { name: string; type: string; lines: Line[] } | null = null;
  let help: { name: string; text: string } | null = null;
  for (const line of text.slice(0, -1).split('\n')) {
    const [, kind, about = '', rest = ''] = new RegExp(`^# (HELP|TYPE) (${NAME}) (.*)$`).exec(line) ?? [];
    if (kind === 'HELP') {
      if (metrics.has(about)) throw new Error(`${about} comes twice`);
      if (/\\[^\\n]/.test(rest.replaceAll('\\\\', ''))) throw new Error(`not escaped: ${line}`);
      help = { name: about, text: rest };
    } else if (kind === 'TYPE') {
      if (help?.name !== about) throw new Error(`no HELP before ${line}`);
      if (!/^(counter|gauge|histogram)$/.test(rest)) throw new Error(`no type: ${line}`);
      const metric = { type: rest, help: help.text, lines: [] };
      metrics.set(about, metric);
      current = { name: about, ...metric };
    } else {
      const sample = readSample(line);
      if (current === null || !belongs(current, sample.name)) throw new Error(`out of place: ${line}`);
      const series = line.slice(0, line.lastIndexOf(' '));
      if (seen.has(series)) throw new Error(`twice: ${series}`);
      seen.add(series);
      current.lines.push(sample);
    }
  }
  for (const [name, { type, lines }] of metrics) if (type === 'histogram') checkHistogram(name, lines);
  return metrics;
}

function readSample(line: string): Line {
  const [, name, labels = '', value = ''] = SAMPLE.exec(line) ?? [];
  if (name === undefined || !NUMBER.test(value)) throw new Error(`no sample: ${line}`);
  const pairs = [...labels.matchAll(LABELS)].map(([, label = '', text = '']): [string, string] => [
    label,
    text.replaceAll(/\\(.)/g, (_, escaped) => (escaped === 'n' ? '\n' : String(escaped))),
  ]);
  if (new Set(pairs.map(([label]) => label)).size < pairs.length) throw new Error(`a label twice: ${line}`);
  return { name, labels: Object.fromEntries(pairs), value: Number(value.replace('Inf', 'Infinity')) };
}

const belongs = ({ name, type }: { name: string; type: string }, sample: string): boolean =>
  type === 'histogram'
    ? [`${name}_bucket`, `${name}_sum`, `${name}_count`].includes(sample)
    : sample === name;

const isGrowing = (list: readonly number[]): boolean =>
  list.every((one, index) => index === 0 || one >= (list[index - 1] ?? 0));

/** Buckets only grow, end with `+Inf`, and that is the count. */
function checkHistogram(name: string, lines: readonly Line[]): void {
  const series = Map.groupBy(lines, ({ labels }) => JSON.stringify({ ...labels, le: undefined }));
  for (const [labels, ofOne] of series) {
    const buckets = ofOne.filter((line) => line.name === `${name}_bucket`);
    const bounds = buckets.map((line) => Number((line.labels['le'] ?? '').replace('Inf', 'Infinity')));
    const counts = buckets.map(({ value }) => value);
    const count = ofOne.find((line) => line.name === `${name}_count`)?.value;
    const isWhole =
      bounds.at(-1) === Infinity && counts.at(-1) === count && ofOne.length === buckets.length + 2;
    if (!isWhole || !isGrowing(bounds) || !isGrowing(counts))
      throw new Error(`no histogram: ${name}${labels}`);
  }
}
