/** One line of a family: its labels and its value. */
export interface MetricSample {
  /** The end of the name: `_bucket`, `_sum` or `_count` for a histogram. */
  readonly suffix?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A metric with all of its samples. */
export interface Family {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly samples: readonly MetricSample[];
}

/** The content type of Prometheus's text format, version 0.0.4. */
export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Writes families in Prometheus's text format. Leaves out families without samples. */
export const exposition = (families: readonly Family[]): string =>
  families
    .filter(({ samples }) => samples.length > 0)
    .map(({ name, type, help, samples }) => {
      const head = `# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}\n# TYPE ${name} ${type}\n`;
      return head + samples.map((sample) => line(name, sample)).join('');
    })
    .join('');

function line(name: string, { suffix = '', labels, value }: MetricSample): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
  return `${name}${suffix}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}\n`;
}

const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');
