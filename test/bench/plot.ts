/** A line of a plot; null: not measured. */
export interface Line {
  readonly name: string;
  readonly values: readonly (number | null)[];
}

/** A small plot: values over a few steps that stand equally far apart, such as powers of ten. The ordinate begins at 0. */
export interface Plot {
  readonly title: string;
  /** With their units. */
  readonly abscissa: string;
  readonly ordinate: string;
  readonly steps: readonly string[];
  readonly lines: readonly Line[];
}

const WIDTH = 340;
const HEIGHT = 250;
/** The margins around the lines. */
const LEFT = 56;
const RIGHT = 18;
const TOP = 34;
const BOTTOM = 62;
const LEGEND_LINE = 15;
const COLUMNS = 2;

const STYLE = `
  text { font: 11px system-ui, sans-serif; fill: #57606a }
  .title { font-weight: 600; font-size: 12px; fill: #24292f }
  .grid { stroke: #8c959f; stroke-opacity: .3 }
  .axis { stroke: #8c959f }
  .line { fill: none; stroke-width: 2 }
  @media (prefers-color-scheme: dark) {
    text { fill: #9ea7b3 }
    .title { fill: #e6edf3 }
  }`;
/** Each has enough contrast on white and on black. */
const COLORS = ['#2f81f7', '#d9730d', '#2da44e', '#bf5af2', '#cf4a5a', '#8a8f98'];

/** The plots side by side, as the text of an SVG file. */
export function svgOf(plots: readonly Plot[]): string {
  const rowHeight = HEIGHT + LEGEND_LINE * Math.max(...plots.map(legendLines));
  const [columns, rows] = [Math.min(COLUMNS, plots.length), Math.ceil(plots.length / COLUMNS)];
  const panels = plots.map((plot, index) => {
    const [x, y] = [(index % COLUMNS) * WIDTH, Math.floor(index / COLUMNS) * rowHeight];
    return `<g transform="translate(${x} ${y})">\n${panel(plot)}\n</g>`;
  });
  const [width, height] = [columns * WIDTH, rows * rowHeight];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${escaped(plots.map(({ title }) => title).join('; '))}</title>
<style>${STYLE}
</style>
${panels.join('\n')}
</svg>
`;
}

const legendLines = ({ lines }: Plot): number => (lines.length > 1 ? Math.ceil(lines.length / 2) : 0);

function panel({ title, abscissa, ordinate, steps, lines }: Plot): string {
  const bottom = HEIGHT - BOTTOM;
  const top = niceTop(Math.max(...lines.flatMap(({ values }) => values.map((value) => value ?? 0))));
  const x = (step: number): number =>
    Math.round(LEFT + 14 + (step * (WIDTH - LEFT - RIGHT - 28)) / Math.max(1, steps.length - 1));
  const y = (value: number): number => Math.round((bottom - (value / top) * (bottom - TOP)) * 10) / 10;
  const grid = [0, 0.25, 0.5, 0.75, 1].map((share) => {
    const at = y(top * share);
    return (
      `<line class="${share === 0 ? 'axis' : 'grid'}" x1="${LEFT}" y1="${at}" x2="${WIDTH - RIGHT}" y2="${at}"/>` +
      text(LEFT - 6, at + 4, tick(top * share), 'end')
    );
  });
  const middle = (TOP + bottom) / 2;
  return [
    text(LEFT, 18, title, 'start', 'class="title"'),
    ...grid,
    ...steps.map((step, index) => text(x(index), bottom + 16, step)),
    text((LEFT + WIDTH - RIGHT) / 2, bottom + 34, abscissa),
    text(12, middle, ordinate, 'middle', `transform="rotate(-90 12 ${middle})"`),
    ...lines.map((line, index) => curve(line, COLORS[index % COLORS.length] ?? '', x, y)),
    ...(lines.length > 1 ? lines.map(legend) : []),
  ].join('\n');
}

function curve(
  { values }: Line,
  color: string,
  x: (step: number) => number,
  y: (value: number) => number,
): string {
  const points = values.flatMap((value, step) => (value === null ? [] : [[x(step), y(value)] as const]));
  const path = points.map((point) => point.join(',')).join(' ');
  const dots = points.map(([cx, cy]) => `<circle cx="${cx}" cy="${cy}" r="3" fill="${color}"/>`);
  return `<polyline class="line" stroke="${color}" points="${path}"/>${dots.join('')}`;
}

function legend({ name }: Line, index: number): string {
  const column = (WIDTH - 24) / 2;
  const [x, y] = [18 + (index % 2) * column, HEIGHT - 14 + Math.floor(index / 2) * LEGEND_LINE];
  const color = COLORS[index % COLORS.length] ?? '';
  return `<rect x="${x}" y="${y - 8}" width="10" height="10" fill="${color}"/>${text(x + 15, y + 1, name, 'start')}`;
}

const text = (x: number, y: number, content: string, anchor = 'middle', rest = ''): string =>
  `<text x="${x}" y="${y}" text-anchor="${anchor}"${rest === '' ? '' : ` ${rest}`}>${escaped(content)}</text>`;

const escaped = (content: string): string =>
  content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** A round number that is not much above the highest value. */
function niceTop(highest: number): number {
  if (highest <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(highest));
  return power * ([1, 2, 3, 4, 6, 8, 10].find((factor) => factor * power >= highest * 1.02) ?? 12);
}

const tick = (value: number): string =>
  value >= 1_000 ? value.toLocaleString('en-US') : String(Math.round(value * 100) / 100);
