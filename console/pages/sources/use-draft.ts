import { useEffect, useState } from 'preact/hooks';
import type { PlannedDocument } from '../../../cli/new-source/plan.ts';
import { post, Refused } from '../../api/client.ts';
import type { Preview } from '../../api/types.ts';
import { wordsOf } from '../../lib/load.ts';
import type { FieldError } from '../../ui/field-errors.tsx';
import { useSettled } from '../../ui/form.tsx';
import { byKind } from './draft.ts';
import { samplesIn } from './samples.tsx';

interface DraftPreview {
  readonly samples: ReturnType<typeof samplesIn> | null;
  readonly errors: readonly FieldError[];
}

/** What a source that is not published yet would make of its provider's samples, or what is wrong with it. */
export function useDraftPreview(
  source: string,
  documents: readonly PlannedDocument[],
  isOn: boolean,
): DraftPreview {
  const asked = JSON.stringify(byKind(documents));
  const settled = useSettled(asked, 400);
  const [preview, setPreview] = useState<DraftPreview>({ samples: null, errors: [] });
  useEffect(() => {
    if (!isOn || settled !== asked) return undefined;
    let isCurrent = true;
    post<Preview>(`/sources/${encodeURIComponent(source)}/preview`, {
      drafts: byKind(documents),
      samples: true,
    }).then(
      (answer) => isCurrent && setPreview({ samples: samplesIn(answer), errors: [] }),
      (thrown: unknown) => isCurrent && setPreview({ samples: null, errors: errorsIn(thrown) }),
    );
    return () => {
      isCurrent = false;
    };
  }, [settled, isOn]);
  return preview;
}

export const errorsIn = (thrown: unknown): readonly FieldError[] =>
  thrown instanceof Refused && thrown.problem.errors !== undefined
    ? thrown.problem.errors
    : [{ path: '', message: wordsOf(thrown) }];
