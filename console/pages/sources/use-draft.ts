import { useCallback, useEffect, useState } from 'preact/hooks';
import type { PlannedDocument } from '../../../shared/new-source/plan.ts';
import { ask, preview } from '../../api/client.ts';
import type { ChangeReceipt, DocumentSet } from '../../api/types.ts';
import { faultsIn, wordsOf } from '../../lib/load.ts';
import { type FieldErrorAnswer, useSettled } from '../../ui/form.tsx';
import { byKind, setWith } from './draft.ts';
import { missingIn } from './draft-errors.ts';
import { samplesIn } from './samples.tsx';

/**
 * Asks the relay about a source that is not published yet: when it stood still for a moment, and when its person
 * comes back to the page, perhaps from setting a secret.
 */
export function useDraft(
  source: string,
  documents: readonly PlannedDocument[],
  set: DocumentSet,
  isOn: boolean,
) {
  const asked = JSON.stringify(byKind(documents));
  const settled = useSettled(asked, 400);
  const [turn, setTurn] = useState(0);
  const [found, setFound] = useState<Awaited<ReturnType<typeof look>> | typeof UNKNOWN>(UNKNOWN);
  const again = useCallback(() => setTurn((old) => old + 1), []);
  useEffect(() => {
    if (!isOn || settled !== asked) return undefined;
    let isCurrent = true;
    setFound((old) => ({ ...old, isChecking: true }));
    const show = async (): Promise<void> => {
      const next = await look(source, documents, set);
      if (isCurrent) setFound(next);
    };
    void show();
    return () => {
      isCurrent = false;
    };
  }, [settled, isOn, turn, set]);
  const isMissing = found.missing !== null && found.missing.size > 0;
  useEffect(() => {
    if (!isMissing) return undefined;
    addEventListener('focus', again);
    return () => removeEventListener('focus', again);
  }, [isMissing, again]);
  return { ...found, again };
}

/** `samples` null: there is an error. `errors` are without those about `missing` secrets, which are not set. */
async function look(source: string, documents: readonly PlannedDocument[], set: DocumentSet) {
  const asked = { body: setWith(set, documents), query: { dry_run: true } };
  const { errors, warnings } = await ask<ChangeReceipt>('POST', '/config', asked).then(
    (receipt) => ({ errors: [], warnings: receipt.warnings }),
    (thrown: unknown) => ({ errors: errorsIn(thrown), warnings: [] }),
  );
  const { missing, others } = missingIn(errors, source, documents);
  const found = {
    errors: others,
    warnings: warnings.filter(({ path }) => path.startsWith(`sources.${source}.`)),
    missing,
    isChecking: false,
  };
  if (others.length > 0) return { ...found, samples: null };
  return preview(source, { drafts: byKind(documents), samples: true }).then(
    (answer) => ({ ...found, samples: samplesIn(answer) }),
    (thrown: unknown) => ({ ...found, samples: null, errors: errorsIn(thrown) }),
  );
}

/** Nothing is known yet. */
const UNKNOWN = { samples: null, errors: [], warnings: [], missing: null, isChecking: true };

export function errorsIn(thrown: unknown): readonly FieldErrorAnswer[] {
  const faults = faultsIn(thrown);
  return faults.length > 0 ? faults : [{ path: '', message: wordsOf(thrown) }];
}
