import { get } from '../../api/client.ts';
import type { DocumentSet } from '../../api/types.ts';
import { useLoad } from '../../lib/load.ts';
import { t } from '../../texts/texts.ts';
import { Badge, Loading, Trouble } from '../../ui/basics.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { changesBetween, type ChangedDocument } from './compare.ts';

/** The changes of a version: each document that it added, changed or removed. */
export function Changes({ from, to, onClose }: { from: number; to: number; onClose: () => void }) {
  const { value, error, again } = useLoad(`${from}-${to}`, async (signal) => {
    const read = (version: number) => get<DocumentSet>('/config', { version }, signal);
    const [before, after] = await Promise.all([read(from), read(to)]);
    return changesBetween(before, after);
  });
  return (
    <Dialog title={t.versions.changesTitle(String(from), String(to))} onClose={onClose} wide>
      {error !== null && <Trouble error={error} again={again} />}
      {value === null && error === null && <Loading />}
      {value?.length === 0 && <p>{t.versions.noChanges}</p>}
      {value?.map((change) => (
        <Document key={change.name} change={change} />
      ))}
    </Dialog>
  );
}

const TONES = { added: 'good', changed: 'busy', removed: 'bad' } as const;

const Document = ({ change: { name, is, lines } }: { change: ChangedDocument }) => (
  <section class="versions-change">
    <h3>
      <Badge tone={TONES[is]}>{t.versions.is[is]}</Badge> <code>{name}</code>
    </h3>
    <pre class="diff" tabIndex={0}>
      {lines.map(({ mark, text }, index) => (
        <span key={index} class={mark === '+' ? 'diff-new' : mark === '-' ? 'diff-old' : undefined}>
          {`${mark} ${text}\n`}
        </span>
      ))}
    </pre>
  </section>
);
