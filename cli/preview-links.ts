import * as z from 'zod/mini';
import { expiresOf, STOP } from '../src/config/compile/actions.ts';
import { formatDuration } from '../src/lib/time.ts';
import { labelOf } from '../src/render/built-in-text.ts';
import type { Output } from './output.ts';
import { namesOfLinks, type ShowLinks } from './show-preview.ts';
import { receiver } from './show.ts';
import { safe, wrapSentence } from './text.ts';

const action = z.object({
  label: z.optional(z.string()),
  expires: z.optional(z.string()),
  silence: z.optional(z.string()),
});
const route = z.object({
  name: z.string(),
  when: z._default(z.string(), ''),
  actions: z._default(z.record(z.string(), action), {}),
});
/** The part of a source's document that its links are in; the relay has checked it. */
const linkingSource = z.object({ locale: z.optional(z.string()), routes: z._default(z.array(route), []) });

/**
 * Shows of each link in a message its button, what pressing does, who can press it, and for how long. Null: the document
 * has another form.
 */
export function linksShower(out: Output, document: unknown): ShowLinks | null {
  const { data: source } = linkingSource.safeParse(document);
  if (source === undefined) return null;
  const { routes } = source;
  return (message, language = source.locale) => {
    const actions = routes.find(({ name }) => name === message.route)?.actions ?? {};
    for (const name of namesOfLinks(message)) {
      const { label, expires = formatDuration(expiresOf(name)), silence = null } = actions[name] ?? {};
      const locale = { country: undefined, locale: language ?? 'en', timezone: 'UTC' };
      const button = label ?? labelOf({ id: name, silence }, locale) ?? name;
      out.line(`  ${out.style('bold', safe(name))}  “${safe(button)}”`);
      const who = `${receiver(message.phone)} can press it for ${expires}${name === STOP ? '' : '; one press counts for all receivers'}`;
      for (const fact of [effectOf(name, silence, routes), who])
        for (const line of wrapSentence(safe(fact), out.columns - 4))
          out.line(`    ${out.style('dim', line)}`);
    }
  };
}

function effectOf(name: string, silence: string | null, routes: readonly z.output<typeof route>[]): string {
  const event = `makes the event action.${name}`;
  const takesIt = new RegExp(`["']action\\.${name}["']`);
  const takers = routes.filter(({ when }) => takesIt.test(when)).map((one) => one.name);
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
