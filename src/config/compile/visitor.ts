import { hasLink } from '../../template/filters/chat.ts';
import type { CompiledText } from '../../template/text.ts';
import { type Receiver, type Alerting, stepsOf, type Send } from '../compiled/config.ts';
import type { FormRules, VisitorRule } from '../compiled/form-rules.ts';
import type { Report } from '../documents/issues.ts';
import type { RouteDocument } from '../documents/schema.ts';

const SAYS = {
  onlyFormRoutes: 'is only for routes of forms: `provider: html-form`',
  noVisitor: 'has no effect: `to` has no number from the form',
  toVisitor:
    'is required: `to` takes a number from the form. With `to_visitor: true`, a number gets few messages a day, with nothing from the form but names',
  others: 'has receivers besides the visitor: give them their own route',
  waits: 'cannot be combined with `each`, or with anything that waits or groups',
  link: 'has a link, which a message to a visitor must not have',
};

/** The parts of a scope that the visitor chooses, or that are made from those. */
const VISITORS = /\b(?:payload|item|headers|query|dedupe_key)\b/;

/** A field of the payload, by its name or in brackets, and the filters that follow it. */
const ONE_FIELD = /^payload(?:\.([A-Za-z][\w-]*)|\['([^']*)'\]|\["([^"]*)"\])\s*((?:\|[^]*)?)$/;

/** Anybody can have such a message sent to anybody, so it must not carry a stranger's words or links. Null for other routes. */
export function compileVisitor(
  { to_visitor: isToVisitor, each }: RouteDocument,
  { to, send, alerting }: { to: readonly Receiver[]; send: Send | null; alerting: Alerting | null },
  form: FormRules | null,
  report: Report,
): VisitorRule | null {
  const choosesNumber = to.some((one) => one.from === 'payload' && readsVisitor(one.text));
  if (form === null || !choosesNumber) {
    if (isToVisitor && form === null) report('.to_visitor', 'misplaced', SAYS.onlyFormRoutes);
    else if (isToVisitor) report('.to_visitor', 'no-effect', SAYS.noVisitor);
    return null;
  }
  if (!isToVisitor) {
    report('.to_visitor', 'required', SAYS.toVisitor);
    return null;
  }
  if (!to.every((one) => one.from === 'payload' && readsVisitor(one.text)))
    report('.to', 'receiver', SAYS.others);
  if (alerting !== null || each !== undefined) report('.to_visitor', 'conflict', SAYS.waits);
  const names = form.fields.flatMap(({ name, kind }) => (kind === 'name' ? [name] : []));
  for (const { kind, params } of send === null ? [] : stepsOf(send)) {
    if (kind !== 'text') report('', 'unsupported', `sends \`${kind}\` to a visitor: only a text is allowed`);
    for (const { name, texts } of params)
      for (const fault of texts.flatMap((text) => faultsOf(text, names)))
        report('', 'unsafe', `\`${name}\` ${fault}`);
  }
  return { names };
}

const readsVisitor = ({ source, expressions }: CompiledText): boolean =>
  expressions.some((each) => VISITORS.test(each)) || (source.includes('{%') && VISITORS.test(source));

function faultsOf({ source, expressions }: CompiledText, names: readonly string[]): readonly string[] {
  const links = hasLink(source.replaceAll(/\{\{[^]*?\}\}|\{%[^]*?%\}/g, ' ')) ? [SAYS.link] : [];
  const allowed =
    names.length === 0 ? 'the form declares no field of `kind: name`' : `its names are ${names.join(', ')}`;
  const shown = expressions
    .map((expression) => expression.trim())
    .filter((expression) => {
      const [, name, single, double, filters = ''] = ONE_FIELD.exec(expression) ?? [];
      const isName = names.includes(name ?? single ?? double ?? '') && !VISITORS.test(filters);
      return VISITORS.test(expression) && !isName;
    });
  return [
    ...links,
    ...shown.map(
      (expression) =>
        `shows \`${expression}\`: a message to a visitor may show nothing from the form but a name; ${allowed}`,
    ),
  ];
}
