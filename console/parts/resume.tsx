import { post } from '../api/client.ts';
import { t } from '../texts/texts.ts';
import { AskButton } from '../ui/dialog.tsx';

interface ResumeProps {
  readonly account: string;
  /** Null: it is not known here. */
  readonly waiting: number | null;
  readonly onDone: () => void;
}

/** Resumes an account. All that waits goes out to people, so it asks. */
export const Resume = ({ account, waiting, onDone }: ResumeProps) => (
  <AskButton
    look="main"
    icon="play"
    label={t.accounts.resume}
    title={t.now.resumeTitle(account)}
    action={t.now.resumeNow}
    does={() => post(`/accounts/${account}/resume`)}
    done={t.accounts.resumed(account)}
    onDone={onDone}
  >
    <p>{waiting === null ? t.now.resumeAll : t.now.resumeText(waiting)}</p>
  </AskButton>
);
