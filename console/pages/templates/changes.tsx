import type { PreviewAnswer, Written } from '../../api/types.ts';
import { phoneText } from '../../lib/format.ts';
import { t } from '../../texts/texts.ts';
import { Badge, Time } from '../../ui/basics.tsx';
import { Bubble } from '../../ui/bubble.tsx';
import { failureText } from '../../texts/relay-texts.ts';
import { Coded } from '../../ui/text.tsx';
import { diffLines } from 'diff/lib/diff/line.js';
import { diffWordsWithSpace } from 'diff/lib/diff/word.js';
import { useMemo } from 'preact/hooks';
import { fieldName, kindName } from '../../parts/message-words.ts';
import { partsOf, type TemplateField } from './fields.ts';
import { pairsOf, type Pair, type PairedMessage } from '../../../src/admin/preview/pairs.ts';

/** The messages that the newest events would become, compared with sent ones. */
export type EventComparison = Extract<PreviewAnswer, { readonly summary: unknown }>;
export type Compared = Extract<EventComparison['events'][number], { readonly sent: unknown }>;

/** More events than this nobody looks through; the counts say how many there are. */
const MAX_EVENTS = 20;

/** The events whose messages change, each old message beside the new one. */
export function Changes({ source, comparison }: { source: string | null; comparison: EventComparison }) {
  const changed = comparison.events
    .filter((one): one is Compared => 'sent' in one)
    .map((event) => ({
      event,
      failures: event.routes.flatMap(({ failures }) => failures),
      pairs: pairsOf(event.sent, event.would_send).filter(({ isSame }) => !isSame),
    }))
    .filter(({ pairs, failures }) => pairs.length > 0 || failures.length > 0);
  return (
    <div class="stack">
      {source !== null && changed.length > 0 && <h3>{source}</h3>}
      {changed.slice(0, MAX_EVENTS).map(({ event, pairs, failures }) => (
        <section class="box stack" key={event.event}>
          <p class="line small">
            <Time at={event.received_at} />
            <span class="cut">{event.type ?? t.templates.noType}</span>
            {failures.length > 0 && <Badge tone="bad">{t.events.routes.results.failed}</Badge>}
          </p>
          {failures.map((failure, at) => (
            <Coded key={at} as="p" class="box bad" text={failureText(failure)} />
          ))}
          {pairs.map((pair, at) => (
            <Sides key={at} pair={pair} heldUntil={heldUntil(event, pair)} />
          ))}
        </section>
      ))}
      {changed.length > MAX_EVENTS && (
        <p class="soft">{t.templates.andMoreEvents(String(changed.length - MAX_EVENTS))}</p>
      )}
    </div>
  );
}

/** The end of the quiet hours that hold a message back; null: nothing does. */
const heldUntil = ({ routes }: Compared, { now }: Pair): string | null =>
  routes.find(({ route }) => route === now?.route)?.held?.find(({ phone }) => phone === now?.phone)?.until ??
  null;

const Sides = ({ pair: { was, now }, heldUntil }: { pair: Pair; heldUntil: string | null }) => (
  <div class="templates-sides">
    <Side title={t.templates.was} message={was} none={t.templates.wasNotSent} />
    <div class="stack tight">
      <Side title={t.templates.becomes} message={now} none={t.templates.isNotSent} />
      {heldUntil !== null && <Held until={heldUntil} />}
    </div>
  </div>
);

export const Held = ({ until }: { until: string }) => (
  <p class="soft small">
    {t.templates.heldUntil} <Time at={until} />
  </p>
);

const Side = ({ title, message, none }: { title: string; message: PairedMessage | null; none: string }) => (
  <div class="stack tight">
    <p class="soft small">
      {title}
      {typeof message?.phone === 'string' && ` · ${phoneText(message.phone)}`}
    </p>
    {message === null ? (
      <p class="templates-no-message">{none}</p>
    ) : (
      <Bubble kind={message.kind} params={message.params} />
    )}
  </div>
);

/** With more edits than this nobody reads them word by word, and finding them takes long. */
const MAX_EDITS = 1_500;

/** The differences between two texts, field by field; null: there is none on that side. */
export function Diff({ was, now }: { was: Written | null; now: Written | null }) {
  const [before, after] = [fieldsOf(was), fieldsOf(now)];
  const paths = [...new Set([...before.keys(), ...after.keys()])];
  const changed = paths.filter((path) => before.get(path)?.text !== after.get(path)?.text);
  const kinds = [kindOf(was), kindOf(now)];
  if (changed.length === 0 && kinds[0] === kinds[1]) return <p class="soft">{t.templates.noDifference}</p>;
  return (
    <div class="stack templates-diff">
      {kinds[0] !== kinds[1] && (
        <p>
          {t.common.kind}: <del class="bad">{kinds[0]}</del> <ins class="good">{kinds[1]}</ins>
        </p>
      )}
      {changed.map((path) => (
        <figure key={path}>
          <figcaption>{fieldName(path)}</figcaption>
          <DiffText was={before.get(path)?.text ?? ''} now={after.get(path)?.text ?? ''} />
        </figure>
      ))}
    </div>
  );
}

const fieldsOf = (text: Written | null): ReadonlyMap<string, TemplateField> =>
  new Map(text === null ? [] : partsOf(text).flatMap(({ fields }) => fields.map((one) => [one.path, one])));

const kindOf = (text: Written | null): string => (text === null ? '' : kindName(String(text['kind'])));

/** The elements also say what was removed and added: colour alone is not enough. */
function DiffText({ was, now }: { was: string; now: string }) {
  const changes = useMemo(
    () => diffWordsWithSpace(was, now, { maxEditLength: MAX_EDITS }) ?? diffLines(was, now),
    [was, now],
  );
  return (
    <pre dir="auto">
      {changes.map(({ added, removed, value }, at) =>
        added ? (
          <ins key={at} class="good">
            {value}
          </ins>
        ) : removed ? (
          <del key={at} class="bad">
            {value}
          </del>
        ) : (
          value
        ),
      )}
    </pre>
  );
}
