import type { PlannedDocument } from '../../../cli/new-source/plan.ts';
import { t } from '../../texts/texts.ts';
import { Copy } from '../../ui/basics.tsx';

/** What will be published, document by document. JSON is YAML, too, so each can be a file of a folder in git. */
export const Planned = ({
  documents,
  shared,
}: {
  documents: readonly PlannedDocument[];
  shared: readonly string[];
}) => (
  <details class="sources-planned">
    <summary>{t.sources.planned(documents.length)}</summary>
    {shared.length > 0 && <p class="soft">{t.sources.sharedTemplates(shared.join(', '))}</p>}
    {documents.map(({ kind, name, value }) => {
      const text = JSON.stringify(value, null, 2);
      return (
        <section key={`${kind} ${name}`}>
          <Copy text={text}>
            <h3>
              {kind}/{name}
            </h3>
          </Copy>
          <pre tabIndex={0}>{text}</pre>
        </section>
      );
    })}
  </details>
);
