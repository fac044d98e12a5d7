import { inLanguage, subjectOf } from '../../config/compiled/config.ts';
import type { Scope } from '../../template/basics/scope.ts';
import { lineOf } from '../../template/line.ts';
import { compileText, type CompiledText } from '../../template/text.ts';
import { localeOf, type placeIn } from '../incidents/rules.ts';

/** The name of an alert, in the fields that senders use. */
const USUAL =
  '{{ item.labels.alertname | default: item.alertname | default: item.annotations.summary | default: item.title | default: item.name | default: item.summary | default: item.message }} {{ item.labels.instance }}';

let usual: CompiledText | null = null;

/** Compiled when it is first needed: an isolate that shows no list does not pay for it. */
function usualTitle(): CompiledText | null {
  if (usual === null) {
    const compiled = compileText(USUAL);
    usual = compiled.ok ? compiled.value : null;
  }
  return usual;
}

/**
 * Returns the line by which lists show an incident: its source's `subject`, if that is about one item; otherwise the
 * usual name of an alert. Null if its item has neither.
 */
export function titleOf(
  { source, route }: ReturnType<typeof placeIn>,
  value: unknown,
  event: Scope['event'],
): string | null {
  const { locale } = inLanguage({ locale: localeOf({ source }) }, event.locale);
  const isWhole = route !== null && route.each === null;
  const scope: Scope = {
    payload: isWhole ? value : undefined,
    event,
    headers: {},
    query: {},
    item: value,
  };
  const own = source === null ? null : subjectOf(source);
  if (own !== null && (isWhole || /\bitem\b/.test(own.source))) {
    const line = lineOf(own, scope, locale);
    if (line !== null) return line;
  }
  const text = usualTitle();
  return text === null ? null : lineOf(text, scope, locale);
}
