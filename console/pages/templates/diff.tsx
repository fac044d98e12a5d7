import { diffLines } from 'diff/lib/diff/line.js';
import { diffWordsWithSpace } from 'diff/lib/diff/word.js';
import { useMemo } from 'preact/hooks';
import { fieldName, kindName } from '../../parts/message/words.ts';
import { t } from '../../texts/texts.ts';
import { partsOf, type TemplateField } from './fields.ts';
import type { Doc } from './texts-of-set.ts';

/** With more edits than this nobody reads them word by word, and finding them takes long. */
const MAX_EDITS = 1_500;

/** The differences between two texts, field by field; null: there is none on that side. */
export function Diff({ was, now }: { was: Doc | null; now: Doc | null }) {
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

const fieldsOf = (text: Doc | null): ReadonlyMap<string, TemplateField> =>
  new Map(text === null ? [] : partsOf(text).flatMap(({ fields }) => fields.map((one) => [one.path, one])));

const kindOf = (text: Doc | null): string => (text === null ? '' : kindName(String(text['kind'])));

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
