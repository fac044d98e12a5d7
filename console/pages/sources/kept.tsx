import { useState } from 'preact/hooks';
import { addressOf } from '../../lib/router.ts';
import { Mark } from '../../parts/mark.tsx';
import { t } from '../../texts/texts.ts';
import { Badge, Button, Panel } from '../../ui/basics.tsx';
import { useSession } from '../../ui/session.tsx';
import { draftsOf, keepDraft } from './kept-drafts.ts';

/** A person's sources that are not in force yet. */
export function Kept({ nameOf }: { nameOf: (id: string) => string }) {
  const session = useSession();
  const [drafts, setDrafts] = useState(() => draftsOf(session));
  if (drafts.length === 0) return null;
  const discard = (provider: string): void => {
    keepDraft(session, provider, null);
    setDrafts(draftsOf(session));
  };
  return (
    <Panel title={t.sources.drafts}>
      <p class="soft">{t.sources.draftsHelp}</p>
      <ul class="sources-drafts">
        {drafts.map(({ provider, source, missing }) => (
          <li key={provider}>
            <Mark id={provider} name={nameOf(provider)} />
            <a class="sources-name grow" href={addressOf(`/sources/add/${provider}`)}>
              {source}
            </a>
            <Badge tone="calm">
              {missing.length === 0 ? t.sources.draftOpen : t.sources.draftWaits(missing.join(', '))}
            </Badge>
            <Button icon="close" look="quiet" onClick={() => discard(provider)}>
              {t.sources.discard}
            </Button>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
