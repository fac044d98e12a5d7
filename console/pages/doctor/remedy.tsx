import { partsOf, type Action } from '../../../shared/doctor/remedy.ts';
import { addressOf } from '../../lib/router.ts';
import { Resume } from '../../parts/resume.tsx';
import { t } from '../../texts/texts.ts';
import { Copy } from '../../ui/basics.tsx';

/** The fix in the words of the command line. A command that this page can run is a button. */
export const Remedy = ({ text, onDone }: { text: string; onDone: () => void }) => (
  <>
    {partsOf(text).map((part, at) =>
      'words' in part ? (
        <span key={at}>{part.words}</span>
      ) : (
        <Command key={at} command={part.command} action={part.action} onDone={onDone} />
      ),
    )}
  </>
);

const NAMES: Readonly<Record<string, string>> = {
  '/messages': t.nav.messages,
  '/accounts': t.nav.accounts,
  '/versions': t.nav.versions,
  '/rejections': t.nav.rejections,
};

interface CommandProps {
  readonly command: string;
  readonly action: Action;
  readonly onDone: () => void;
}

function Command({ command, action, onDone }: CommandProps) {
  switch (action.does) {
    case 'resume':
      return <Resume account={action.account} waiting={null} onDone={onDone} />;
    case 'show':
      return (
        <a class="button" href={addressOf(action.path, action.query)}>
          {NAMES[action.path] ?? t.doctor.show}
        </a>
      );
    case 'paste':
      return <Copy text={command} />;
  }
}
