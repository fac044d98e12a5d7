import { DAY } from '../../lib/time.ts';
import { ROOTS } from '../../template/basics/scope.ts';
import { compileText } from '../../template/text.ts';
import { type Action, type Route, stepsOf, type Send } from '../compiled/config.ts';
import { compiledIf, type Report } from '../documents/issues.ts';
import type { RouteDocument } from '../documents/schema.ts';
import { unknownName } from '../documents/unknown-name.ts';

/** The action by which a receiver opts out, and the action on its page that undoes it. */
export const STOP = 'stop';
export const START = 'start';

const SAYS = {
  noTime:
    "is required: how long the silence lasts, such as `4h`, or the time at which it ends, such as `'07:00'`",
  noSilence: 'belongs to actions named `silence` or `silence_…`: `silence_4h: { silence: 4h }`',
  start: '`start` is reserved for opting in again after `stop`: choose another name',
  noLabel: 'is required: the text of the button, such as `label: Approve`',
  noStop:
    'is in no text of the route, so nobody can opt out: add the line `Stop these messages: {{ actions.stop.url }}`',
};

/** True for `silence`, `silence_1h` … */
export const isSilence = (action: string): boolean => /^silence(_|$)/.test(action);

export const isOfIncidents = (action: string): boolean =>
  action === 'ack' || action === 'resolve' || isSilence(action);

/** True if an action has an effect of its own, even if no route takes its event. */
export const isBuiltIn = (action: string) => action === STOP || action === START || isOfIncidents(action);

/** People often opt out late, so `stop` has the longest time that is allowed. */
export const expiresOf = (action: string): number => (action === STOP ? 30 : 7) * DAY;

/** Checks a route's actions, and that its templates use no others. */
export function compileActions(document: RouteDocument, sends: readonly (Send | null)[], report: Report) {
  const { actions: documents = {}, incident } = document;
  const actions = Object.entries(documents).flatMap(([id, { label, expires, silence = null }]): Action[] => {
    const path = `.actions.${id}`;
    const builtIn = `\`${id}\` is built in, for the incidents of a route: add \`incident\`, or choose another name`;
    if (id === START) report(path, 'reserved', SAYS.start);
    else if (isSilence(id) !== (silence !== null))
      report(`${path}.silence`, 'conflict', silence === null ? SAYS.noTime : SAYS.noSilence);
    else if (isOfIncidents(id) && incident === undefined) report(path, 'reserved', builtIn);
    else if (label === undefined && !isBuiltIn(id)) report(`${path}.label`, 'required', SAYS.noLabel);
    else {
      const text = compiledIf(`${path}.label`, label, (source) => compileText(source, ROOTS), report);
      if (label === undefined || text !== null)
        return [{ id, label: text, silence, expiresMs: expires ?? expiresOf(id) }];
    }
    return [];
  });
  const known = Object.keys(documents);
  const named = sends.flatMap((send) => (send === null ? [] : actionsIn(send)));
  for (const name of new Set(named))
    if (name !== ANY && !known.includes(name)) {
      const unknown = unknownName('action', name, known);
      const add = `The template links to it: add \`actions: { ${name}: { label: … } }\``;
      report('.actions', 'malformed', `${unknown}. ${add}`);
    }
  return actions;
}

/** Warns of actions whose links no text of the route has, nor its fallbacks or its own digest. */
export function warnOfActions({ actions, send, alerting }: Route, warn: Report): void {
  const named = new Set([send, alerting?.digest].flatMap((one) => (one ? actionsIn(one) : [])));
  for (const { id } of actions) {
    const noLink = `is in no text of the route, so nobody can press it: add the line \`{{ actions.${id}.url }}\``;
    if (!named.has(id) && !named.has(ANY))
      warn(`.actions.${id}`, 'unsupported', id === STOP ? SAYS.noStop : noLink);
  }
}

/** The name of an action that a template computes. */
const ANY = '';

const NAMED = /(?<![.\w])actions\b\s*(?:\.\s*([\w-]+)|\[\s*["']([^"']*)["']\s*\])?/g;

export const actionsIn = (send: Send): readonly string[] =>
  stepsOf(send)
    .flatMap(({ params }) => params)
    .flatMap(({ texts }) => texts.flatMap(({ source }) => insides(source)))
    .flatMap((code) => [...code.matchAll(NAMED)])
    .map(([, plain, quoted]) => plain ?? quoted ?? ANY);

/** The code inside outputs and tags. Reads each text once. */
export const insides = (source: string): readonly string[] =>
  source.split(/%\}|\}\}/).flatMap((piece) => piece.split(/\{[{%]/).slice(1));
