import * as z from 'zod/mini';
import { expiresOf, STOP } from '../src/config/compile/actions.ts';
import { formatDuration } from '../src/lib/time.ts';
import { labelOf } from '../src/render/incident-words.ts';
import type { Output } from './output.ts';
import type { PreviewMessage } from './relay/shapes.ts';
import { namesOfLinks } from './show-preview.ts';
import { receiver } from './show.ts';
import { safe, wrapSentence } from './text.ts';

/** The part of a source's document that its links are in; the relay has checked it. */
const linkingSource = z.object({
  locale: z.optional(z.string()),
  routes: z.optional(
    z.array(
      z.object({
        name: z.string(),
        when: z.optional(z.string()),
        actions: z.optional(
          z.record(
            z.string(),
            z.object({
              label: z.optional(z.string()),
              expires: z.optional(z.string()),
              silence: z.optional(z.string()),
            }),
          ),
        ),
      }),
    ),
  ),
});
export type LinkingSource = z.output<typeof linkingSource>;

/** The document of a source, for its links; null: it has another form. */
export const readLinkingSource = (document: unknown): LinkingSource | null =>
  linkingSource.safeParse(document).data ?? null;

const draftSet = z.object({ sources: z.record(z.string(), z.unknown()) });

/** A source's document among those of a folder; undefined: there is none. */
export const draftOf = (drafts: unknown, source: string): unknown =>
  draftSet.safeParse(drafts).data?.sources[source];

/** Shows of each link in a message its button, what pressing does, who can press it, and for how long. */
export function showLinks(out: Output, source: LinkingSource, message: PreviewMessage): void {
  const routes = source.routes ?? [];
  const actions = routes.find(({ name }) => name === message.route)?.actions ?? {};
  for (const name of namesOfLinks(message)) {
    const { label, expires = formatDuration(expiresOf(name)), silence = null } = actions[name] ?? {};
    const locale = { country: undefined, locale: source.locale ?? 'en', timezone: 'UTC' };
    const button = label ?? labelOf({ id: name, silence }, locale) ?? name;
    out.line(`  ${out.style('bold', safe(name))}  “${safe(button)}”`);
    const who = `${receiver(message.phone)} can press it for ${expires}${name === STOP ? '' : '; one press counts for all receivers'}`;
    for (const fact of [effectOf(name, silence, routes), who])
      for (const line of wrapSentence(safe(fact), out.columns - 4)) out.line(`    ${out.style('dim', line)}`);
  }
}

function effectOf(
  name: string,
  silence: string | null,
  routes: NonNullable<LinkingSource['routes']>,
): string {
  const event = `makes the event action.${name}`;
  const takers = routes.flatMap(({ name: route, when = '' }) =>
    new RegExp(`["']action\\.${name}["']`).test(when) ? [route] : [],
  );
  const taken = `for the route${takers.length === 1 ? '' : 's'} ${takers.join(', ')}`;
  if (silence !== null) {
    const long = silence.includes(':') ? `until ${silence}` : `for ${silence}`;
    return `silences the incidents ${long}, and ${event}`;
  }
  if (name === 'ack')
    return `acknowledges the incidents: reminders stop, and the others are notified of who has it; ${event}`;
  if (name === 'resolve') return `resolves the incidents for everybody who was notified, and ${event}`;
  if (name === STOP) return `no more messages to this number, and ${event}`;
  return takers.length === 0 ? `${event}, which no route names` : `${event}, ${taken}`;
}
