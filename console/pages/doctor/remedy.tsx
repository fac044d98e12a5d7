import { Fragment } from 'preact';
import { partsOf, type RemedyAction } from '../../../shared/doctor/remedy.ts';
import { addressOf } from '../../lib/router.ts';
import { Resume } from '../../parts/resume.tsx';
import { t } from '../../texts/texts.ts';
import { Copy } from '../../ui/basics.tsx';
import { Coded } from '../../ui/said.tsx';
import { fixHere } from '../sources/place.ts';

/** The fix in the words of the command line. A command that this page can run is a button. */
export const Remedy = ({ text, onDone }: { text: string; onDone: () => void }) => (
  <Coded
    text={text}
    show={(part) =>
      partsOf(part).map((one, at) =>
        'words' in one ? <Coded key={at} text={one.words} /> : <Command key={at} {...one} onDone={onDone} />,
      )
    }
  />
);

/** Only the commands of a remedy, after its words in another language. */
export const Commands = ({ text, onDone }: { text: string; onDone: () => void }) => (
  <>
    {partsOf(text).map((part, at) => {
      if ('words' in part) return null;
      const here = fixHere(part.command, location.hostname);
      return (
        <Fragment key={at}>
          {' '}
          {here === part.command ? <Command {...part} onDone={onDone} /> : <Coded text={here} />}
        </Fragment>
      );
    })}
  </>
);

const RETRY = 'npx hookbell retry';

const NAMES: Readonly<Record<string, string>> = {
  '/messages': t.nav.messages,
  '/accounts': t.nav.accounts,
  '/versions': t.nav.versions,
  '/rejections': t.nav.rejections,
};

interface CommandProps {
  readonly command: string;
  readonly action: RemedyAction;
  readonly onDone: () => void;
}

function Command({ command, action, onDone }: CommandProps) {
  switch (action.does) {
    case 'resume':
      return <Resume account={action.account} waiting={null} onDone={onDone} />;
    case 'show':
      return (
        <a href={addressOf(action.path, action.query)}>
          {command.startsWith(RETRY) ? t.messages.retryMany : (NAMES[action.path] ?? t.doctor.show)}
        </a>
      );
    case 'paste':
      return <Copy text={command} />;
  }
}
