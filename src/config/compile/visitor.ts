import { hasLink } from '../../template/filters/links.ts';
import type { CompiledText } from '../../template/text.ts';
import type { Alerting } from '../compiled/alerting.ts';
import type { Receiver } from '../compiled/config.ts';
import { stepsOf, type Send } from '../compiled/send.ts';
import type { FormRules, VisitorRule } from '../compiled/form-rules.ts';
import type { Report } from '../documents/issues.ts';
import type { RouteDocument } from '../documents/schema.ts';

/** The parts of a scope that the visitor chooses, or that are made from those. */
const VISITORS = /\b(?:payload|item|headers|query|dedupe_key)\b/;

/** A field of the payload, by its name or in brackets, and the filters that follow it. */
const ONE_FIELD = /^payload(?:\.([A-Za-z][\w-]*)|\['([^']*)'\]|\["([^"]*)"\])\s*((?:\|[^]*)?)$/;

interface VisitorParts {
  readonly to: readonly Receiver[];
  readonly send: Send | null;
  readonly alerting: Alerting | null;
  /** The form whose route this is; null if the source is not a form. */
  readonly form: FormRules | null;
}

/**
 * Compiles the rules for a route to a number from its form: the fields that it may show. Anybody can have such a
 * message sent to anybody, so it must not carry a stranger's words or links. Null for other routes.
 */
export function compileVisitor(
  { to_visitor: toVisitor, each }: RouteDocument,
  { to, send, alerting, form }: VisitorParts,
  report: Report,
): VisitorRule | null {
  const isToVisitor = toVisitor === true;
  const choosesNumber = to.some((one) => one.from === 'payload' && readsVisitor(one.text));
  if (form === null || !choosesNumber) {
    if (isToVisitor && form === null)
      report('.to_visitor', 'misplaced', 'is only for routes of forms: `provider: html-form`');
    else if (isToVisitor)
      report('.to_visitor', 'no-effect', 'has no effect: `to` has no number from the form');
    return null;
  }
  if (!isToVisitor) {
    report(
      '.to_visitor',
      'required',
      'is required: `to` takes a number from the form. With `to_visitor: true`, a number gets few messages a day, with nothing from the form but names',
    );
    return null;
  }
  if (!to.every((one) => one.from === 'payload' && readsVisitor(one.text)))
    report('.to', 'receiver', 'has receivers besides the visitor: give them their own route');
  if (alerting !== null || each !== undefined)
    report(
      '.to_visitor',
      'conflict',
      'cannot be combined with `each`, or with anything that waits or groups',
    );
  const names = form.fields.flatMap(({ name, kind }) => (kind === 'name' ? [name] : []));
  if (send === null) return { names };
  for (const { kind, params } of stepsOf(send)) {
    if (kind !== 'text') report('', 'unsupported', `sends \`${kind}\` to a visitor: only a text is allowed`);
    for (const { name, texts } of params)
      for (const text of texts)
        checkText(text, names, (message) => report('', 'unsafe', `\`${name}\` ${message}`));
  }
  return { names };
}

const readsVisitor = ({ source, expressions }: CompiledText): boolean =>
  expressions.some((each) => VISITORS.test(each)) || (source.includes('{%') && VISITORS.test(source));

function checkText(text: CompiledText, names: readonly string[], report: (message: string) => void): void {
  if (hasLink(text.source.replaceAll(/\{\{[^]*?\}\}|\{%[^]*?%\}/g, ' ')))
    report('has a link, which a message to a visitor must not have');
  for (const expression of text.expressions) {
    if (!VISITORS.test(expression)) continue;
    const [, name, single, double, filters = ''] = ONE_FIELD.exec(expression.trim()) ?? [];
    if (names.includes(name ?? single ?? double ?? '') && !VISITORS.test(filters)) continue;
    const shown =
      names.length === 0 ? 'the form declares no field of `kind: name`' : `its names are ${names.join(', ')}`;
    report(
      `shows \`${expression.trim()}\`: a message to a visitor may show nothing from the form but a name; ${shown}`,
    );
  }
}
