import { isMessageKind, paramsOf } from '../gateway/kinds.ts';
import type { RenderedSends } from './fallback.ts';

/** Appends a line to the text of a message, and to those of its fallbacks. A kind without a text stays as it is. */
export const appended = <Sends extends Pick<RenderedSends, 'kind' | 'sets' | 'fallback'>>(
  sends: Sends,
  line: string,
): Sends => ({
  ...sends,
  sets: sends.sets.map((params) => withLine(sends.kind, params, line)),
  fallback: sends.fallback.map((one) => ({ ...one, params: withLine(one.kind, one.params, line) })),
});

function withLine(
  kind: string,
  params: Readonly<Record<string, string>>,
  line: string,
): Readonly<Record<string, string>> {
  const [name] = isMessageKind(kind) ? (paramsOf(kind).find(([, { holds }]) => holds === 'text') ?? []) : [];
  if (name === undefined) return params;
  const { [name]: text = '' } = params;
  return { ...params, [name]: text === '' ? line : `${text}\n${line}` };
}
