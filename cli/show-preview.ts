import { diffLines, diffText } from './diff/lines.ts';
import type { Output } from './output.ts';
import type { LastPreview, Preview, PreviewChange, PreviewMessage, PreviewRoute } from './relay/shapes.ts';
import { receiver, shortTime, stateColour } from './show.ts';
import { count, safe, wrap } from './text.ts';

/** A link in a previewed message: the name of its action. */
const LINK = /https:\/\/…\/a\/([a-z][a-z0-9_]*)/g;

export const namesOfLinks = ({ params }: Pick<PreviewMessage, 'params'>): readonly string[] => [
  ...new Set(Object.values(params).flatMap((text) => [...text.matchAll(LINK)].map(([, name = '']) => name))),
];

export const hasLinks = ({ routes }: Pick<Preview, 'routes'>): boolean =>
  routes.some(({ messages }) => messages.some((message) => namesOfLinks(message).length > 0));

export type ShowLinks = (message: PreviewMessage, locale: string | undefined) => void;

/** Shows the preview of a webhook. `showLinks`: null: it has none, or what they do is not known. */
export function showPreview(
  out: Output,
  { event, reason, routes, warnings }: Preview,
  showLinks: ShowLinks | null,
): void {
  out.fields([
    ['type', event.type ?? 'none'],
    ['subject', event.subject ?? undefined],
    ['dedupe', event.dedupe_key ?? undefined],
    ['language', event.locale],
    ['reason', reason],
  ]);
  for (const route of routes) {
    showRoute(out, route);
    for (const message of route.messages) {
      showMessage(out, message);
      showLinks?.(message, event.locale);
    }
  }
  if (routes.length === 0) out.line('the source has no routes');
  showWarnings(out, warnings);
}

function showWarnings(out: Output, warnings: Preview['warnings']): void {
  for (const { route, parameter, message } of warnings) {
    const place = [route, parameter].filter((one) => one !== null && one !== undefined).join('.');
    out.line(`${out.style('yellow', 'warning')}  ${safe(place === '' ? message : `${place}: ${message}`)}`);
  }
}

export function showRoute(out: Output, { route, result, why, failures, items = [] }: PreviewRoute): void {
  out.line(`${stateColour(out, result, result.replace('_', ' '))}  ${safe(route)}`);
  for (const line of why === undefined ? [] : wrap(safe(why), out.columns - 2))
    out.line(`  ${out.style('dim', line)}`);
  for (const { key, group, resolved, acknowledged, at, inhibited_by: inhibitors } of items) {
    const does = resolved
      ? 'resolves'
      : acknowledged === undefined
        ? 'fires'
        : acknowledged
          ? 'acknowledges'
          : 'takes back the acknowledgement of';
    const parts = [
      `${does} ${key === null ? 'without a key' : safe(key)}`,
      ...(at === undefined ? [] : [`at ${at}`]),
      ...(group === null ? [] : [`group ${safe(group)}`]),
      ...(inhibitors.length === 0 ? [] : [`inhibited by ${safe(inhibitors.join(' or '))}`]),
    ];
    out.line(`  ${parts.join(', ')}`);
  }
  if (items.length > 0)
    out.line(`  ${out.style('dim', 'the notification of these items alone, as if it were due now:')}`);
  for (const one of failures) out.line(`  ${out.style('red', safe(one.reason))}`);
}

function showMessage(out: Output, { kind, phone, params }: PreviewMessage): void {
  out.line(`  ${safe(kind)} → ${receiver(phone)}`);
  const isPlain = Object.keys(params).length === 1;
  for (const [name, value] of Object.entries(params)) {
    for (const line of safe(isPlain ? value : `${name}: ${value}`).split('\n'))
      out.line(`  ${out.style('dim', '│')} ${line}`);
  }
}

export function showLast(out: Output, { events, warnings, summary }: LastPreview): void {
  for (const one of events) {
    const { event, received_at, type } = one;
    const why = 'not_comparable' in one ? one.not_comparable : undefined;
    const { routes, changes } = 'changes' in one ? one : { routes: [], changes: [] };
    const real = changes.filter(({ kind }) => kind !== 'same');
    const comparison = why !== undefined ? 'not comparable' : real.length === 0 ? 'same' : 'changed';
    out.line(`${out.style('bold', event)}  ${shortTime(received_at)}  ${safe(type ?? '')}  ${comparison}`);
    if (why !== undefined) out.line(`  ${safe(why)}`);
    for (const route of routes) if (route.result === 'failed') showRoute(out, route);
    for (const change of real) showChange(out, change);
  }
  showWarnings(out, warnings);
  const { same, changed, failed, not_comparable, left_out } = summary;
  const others = [
    [changed, 'changed'],
    [failed, 'with a route that fails'],
    [not_comparable, 'not comparable'],
    [left_out, 'not compared: too many at once'],
  ] as const;
  const parts = [`${same} the same`, ...others.flatMap(([n, what]) => (n > 0 ? [`${n} ${what}`] : []))];
  out.line(
    events.length === 0
      ? 'the source has not received anything yet'
      : `${count(summary.events, 'event')}: ${parts.join(', ')}`,
  );
}

function showChange(out: Output, change: PreviewChange): void {
  const head = `  ${safe(change.route)} → ${receiver(change.phone)}`;
  if (change.kind === 'added') return out.line(`${head}: would be sent now, and was not`);
  if (change.kind !== 'changed') return out.line(`${head}: was sent, and would not be sent now`);
  out.line(`${head}: ${safe(change.parameter)}`);
  const lines = diffLines(change.was ?? '', change.now ?? '');
  for (const line of diffText(lines, out.style, '    ')) out.line(line);
}
