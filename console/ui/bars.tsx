import { clock, number, stamp } from '../lib/format.ts';
import { t } from '../texts/texts.ts';

export interface Bar {
  readonly at: string;
  /** The parts of the bar from the bottom up. */
  readonly parts: readonly { readonly tone: 'good' | 'bad' | 'busy'; readonly value: number }[];
}

const HEIGHT = 96;
const WIDTH = 10;

/** Bars over time. Whoever hears the page gets the same figures as a table. */
export function Bars({
  label,
  names,
  bars,
}: {
  label: string;
  names: readonly string[];
  bars: readonly Bar[];
}) {
  const sums = bars.map(({ parts }) => parts.reduce((sum, { value }) => sum + value, 0));
  const [start] = bars;
  const top = Math.max(1, ...sums);
  const scale = (value: number): number => (value === 0 ? 0 : Math.max(2, (value / top) * HEIGHT));
  return (
    <figure class="bars">
      <svg viewBox={`0 0 ${bars.length * WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {bars.map(({ at, parts }, index) => {
          let bottom = HEIGHT;
          return (
            <g key={at}>
              <rect class="bar-ground" x={index * WIDTH + 1} y={0} width={WIDTH - 2} height={HEIGHT} />
              {parts.map(({ tone, value }, part) => {
                const height = scale(value);
                bottom -= height;
                return (
                  <rect
                    key={part}
                    class={`bar-${tone}`}
                    x={index * WIDTH + 1}
                    y={bottom}
                    width={WIDTH - 2}
                    height={height}
                  />
                );
              })}
              <title>{`${stamp(at)}: ${parts.map(({ value }, part) => `${number(value)} ${names[part] ?? ''}`).join(', ')}`}</title>
            </g>
          );
        })}
      </svg>
      <div class="bars-axis" aria-hidden="true">
        <span>{start === undefined ? '' : clock(start.at, Date.now())}</span>
        <span>{t.common.today}</span>
      </div>
      <div class="unseen">
        <table>
          <caption>{label}</caption>
          <thead>
            <tr>
              <th scope="col" />
              {names.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {bars.map(({ at, parts }) => (
              <tr key={at}>
                <th scope="row">{stamp(at)}</th>
                {parts.map(({ value }, index) => (
                  <td key={index}>{number(value)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}
