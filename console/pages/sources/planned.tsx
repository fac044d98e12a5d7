import type { PlannedDocument } from '../../../shared/new-source/plan.ts';
import { t } from '../../texts/texts.ts';
import { Copy } from '../../ui/basics.tsx';

/** The documents to publish. JSON is valid YAML, so each can be a file of a folder in git. */
export const Planned = ({
  documents,
  shared,
  isForGit,
}: {
  documents: readonly PlannedDocument[];
  shared: readonly string[];
  /** The set is published by pushes alone: these are the files that make this change there. */
  isForGit: boolean;
}) => (
  <details class="sources-planned" open={isForGit}>
    <summary>{t.sources.planned(documents.length)}</summary>
    {isForGit && <p>{t.sources.forGit}</p>}
    {shared.length > 0 && <p class="soft">{t.sources.sharedTemplates(shared.join(', '))}</p>}
    {documents.map(({ kind, name, value }) => {
      const text = JSON.stringify(value, null, 2);
      return (
        <section key={`${kind} ${name}`}>
          <Copy text={text}>
            <h3>
              {kind}/{name}.yaml
            </h3>
          </Copy>
          <pre tabIndex={0}>{text}</pre>
        </section>
      );
    })}
  </details>
);
