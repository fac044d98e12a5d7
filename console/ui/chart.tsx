import { clock, stamp } from '../lib/format.ts';
import { addressOf } from '../lib/router.ts';
import { t } from '../texts/texts.ts';

const HEIGHT = 100;
const STEP = 10;

/** The places of a line's points, in pieces without gaps. A piece of one point is as long as its step, or nobody sees it. */
export function piecesOf(values: readonly (number | null)[], top: number): readonly string[] {
  const pieces: string[][] = [[]];
  for (const [at, value] of values.entries()) {
    const y = value === null ? 0 : HEIGHT - (value / top) * HEIGHT;
    const isAlone = (values[at - 1] ?? null) === null && (values[at + 1] ?? null) === null;
    if (value === null) pieces.push([]);
    else if (isAlone) pieces.at(-1)?.push(`${at * STEP},${y}`, `${(at + 1) * STEP},${y}`);
    else pieces.at(-1)?.push(`${(at + 0.5) * STEP},${y}`);
  }
  return pieces.filter((piece) => piece.length > 0).map((piece) => piece.join(' '));
}

/** One line or one row of bars. A gap is null: there is nothing to say of that time. */
interface ChartSeries {
  readonly name: string;
  readonly tone: 'main' | 'bad' | 'busy';
  readonly values: readonly (number | null)[];
}

interface ChartProps {
  readonly title: string;
  readonly isTitled?: boolean;
  /** The start of each step (ms), evenly spaced. */
  readonly times: readonly number[];
  readonly stepMs: number;
  readonly series: readonly ChartSeries[];
  readonly as: 'bars' | 'lines';
  /** A value for people: `12`, `98 %`, `1.2 s`. */
  readonly show: (value: number) => string;
  /** The top of the scale; absent: the highest value. */
  readonly top?: number;
  readonly linkOf: (from: number) => string;
  readonly bands?: readonly { from: number; to: number; text: string; href: string }[];
}

/** Values over time. A step leads to its list. A table has the same, for whoever hears the page or has no mouse. */
export function Chart(props: ChartProps) {
  const { title, isTitled = true, times, stepMs, series, as, show, linkOf, bands = [] } = props;
  const highest = Math.max(0, ...series.flatMap(({ values }) => values.filter((value) => value !== null)));
  const top = props.top ?? (highest === 0 ? 1 : highest);
  const [first = 0] = times;
  const end = first + times.length * stepMs;
  const now = Date.now();
  const shown = (value: number | null | undefined): string =>
    value === null || value === undefined ? '–' : show(value);
  const textOf = (at: number, index: number): string =>
    `${stamp(at)}: ${series.map(({ name, values }) => `${name} ${shown(values[index])}`).join(', ')}`;
  const xOf = (ms: number): number =>
    STEP * Math.min(times.length - 1, Math.max(0, Math.floor((ms - first) / stepMs)));
  return (
    <figure class="chart">
      <figcaption class="flow">
        {isTitled && <strong>{title}</strong>}
        {series.map(({ name, tone }) => (
          <span key={name} class={`chart-legend ${tone}`}>
            {name}
          </span>
        ))}
      </figcaption>
      <div class="chart-body" aria-hidden="true">
        <span class="chart-scale">
          <span>{show(top)}</span>
          {/* There is no half of an event. */}
          <span>{as === 'lines' || top % 2 === 0 ? show(top / 2) : ''}</span>
          <span>{show(0)}</span>
        </span>
        <svg viewBox={`0 0 ${times.length * STEP} ${HEIGHT}`} preserveAspectRatio="none">
          {bands.map(({ from, to, text }) => (
            <rect
              key={`${from} ${text}`}
              class="chart-band"
              x={xOf(from)}
              width={xOf(to) + STEP - xOf(from)}
              height={HEIGHT}
            />
          ))}
          {times.map((at, index) => (
            <a key={at} tabindex={-1} href={linkOf(at)}>
              <title>{textOf(at, index)}</title>
              <rect class="chart-step" x={index * STEP} width={STEP} height={HEIGHT} />
              {as === 'bars' &&
                series.map(({ name, tone, values }, part) => {
                  const value = values[index] ?? 0;
                  const height = value === 0 ? 0 : Math.max(2, (value / top) * HEIGHT);
                  const width = (STEP - 2) / series.length;
                  return (
                    <rect
                      key={name}
                      class={`chart-bar ${tone}`}
                      x={index * STEP + 1 + part * width}
                      y={HEIGHT - height}
                      width={width}
                      height={height}
                    />
                  );
                })}
            </a>
          ))}
          {as === 'lines' &&
            series.flatMap(({ name, tone, values }) =>
              piecesOf(values, top).map((points) => (
                <polyline key={`${name} ${points}`} class={`chart-line ${tone}`} points={points} />
              )),
            )}
        </svg>
        <span class="line chart-axis">
          {[first, (first + end) / 2, end].map((at) => (
            <span key={at}>{clock(at, now, 'minute')}</span>
          ))}
        </span>
      </div>
      {bands.length > 0 && (
        <ul class="stack tight small chart-bands">
          {bands.map(({ from, text, href }) => (
            <li key={`${from} ${text}`}>
              {clock(from, now, 'minute')}: <a href={href}>{text}</a>
            </li>
          ))}
        </ul>
      )}
      <details>
        <summary>{t.charts.asTable}</summary>
        <table class="table">
          <caption class="unseen">{title}</caption>
          <thead>
            <tr>
              <th scope="col">{t.charts.from}</th>
              {series.map(({ name }) => (
                <th key={name} scope="col" class="number">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {times.map((at, index) => (
              <tr key={at}>
                <th scope="row">
                  <a class="table-link" href={linkOf(at)}>
                    {clock(at, now, 'minute')}
                  </a>
                </th>
                {series.map(({ name, values }) => (
                  <td key={name} class="number">
                    {shown(values[index])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}

/** Values in the height of a line of text. Its figure stands beside it. */
export const Sparkline = ({ values }: { values: readonly number[] | undefined }) =>
  values === undefined ? null : (
    <svg
      class="sparkline"
      viewBox={`0 0 ${values.length * STEP} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {piecesOf(values, Math.max(1, ...values)).map((points) => (
        <polyline key={points} class="chart-line main" points={points} />
      ))}
    </svg>
  );

export const eventsIn =
  (source: string, stepMs: number) =>
  (from: number): string =>
    addressOf('/events', {
      source,
      since: new Date(from).toISOString(),
      until: new Date(from + stepMs).toISOString(),
    });
