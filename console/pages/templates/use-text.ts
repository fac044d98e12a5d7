import { useEffect, useState } from 'preact/hooks';
import { sameDocument } from '../../../shared/yaml-patch/same.ts';
import type { Written } from '../../api/types.ts';
import { useLoad } from '../../lib/load.ts';
import { keepDraft, readDraft, type TextDraft } from './drafts.ts';
import { withKind } from './fields.ts';
import { readSet, readVersions, type PublishedTexts } from './published.ts';
import { idOf, textAt, type TextPlace } from './texts-of-set.ts';

/** The interval of checks for a publish by somebody else. */
const LOOK_EVERY_MS = 15_000;

/** The text at a place while it is edited. The draft is kept in this tab until it is published or discarded. */
export function useText(place: TextPlace, newKind: string | undefined) {
  const id = idOf(place);
  const loaded = useLoad('set', (signal) => readSet(undefined, signal));
  const versions = useLoad('versions', (signal) => readVersions(undefined, 20, signal), LOOK_EVERY_MS);
  const [latest, setLatest] = useState<PublishedTexts | null>(null);
  useEffect(() => setLatest(loaded.value), [loaded.value]);
  const active = versions.value?.items.find((one) => one.active)?.version;
  useEffect(() => {
    if (latest !== null && active !== undefined && active !== latest.version) loaded.again();
  }, [active]);

  const [draft, setDraft] = useState<TextDraft | null>(() => readDraft(id));
  const [isRestored, setRestored] = useState(draft !== null);
  const current = latest === null ? null : textAt(latest.set, place);
  const isChanged = draft !== null && !(latest !== null && sameDocument(draft.text, current));
  const change = (next: TextDraft | null): void => {
    keepDraft(id, next);
    setDraft(next);
    setRestored(false);
  };
  const fresh = place.in === 'template' && newKind !== undefined ? withKind({}, newKind) : null;
  const base = draft === null ? current : draft.base;
  return {
    published: latest,
    error: loaded.error,
    versions: versions.value,
    isManaged: versions.value !== null && versions.value.managed !== null,
    current,
    /** The text in the editor; null: there is no such text. */
    text: draft?.text ?? current ?? fresh,
    base,
    isChanged: isChanged || (current === null && fresh !== null),
    /** Somebody else has published this text since the editing began. */
    isOvertaken: isChanged && latest !== null && !sameDocument(base, current),
    /** True if the text was restored after a reload or the end of a session. */
    isRestored: isRestored && isChanged,
    setText: (text: Written) => change(sameDocument(text, base) ? null : { text, base }),
    discard: () => change(null),
    /** Goes on editing, on top of what is published now. */
    keepMine: () => change(draft === null ? null : { text: draft.text, base: current }),
    setPublished: (now: PublishedTexts) => {
      setLatest(now);
      versions.again();
    },
    again: loaded.again,
  };
}

export type EditedText = ReturnType<typeof useText>;
