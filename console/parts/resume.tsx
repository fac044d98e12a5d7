import { useState } from 'preact/hooks';
import { post } from '../api/client.ts';
import { t } from '../texts/texts.ts';
import { Button } from '../ui/basics.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { For } from '../ui/session.tsx';
import { toast } from '../ui/toast.tsx';

interface ResumeProps {
  readonly account: string;
  /** Null: it is not known here. */
  readonly waiting: number | null;
  readonly onDone: () => void;
}

/** Resumes an account. All that waits goes out to people, so it asks. */
export function Resume({ account, waiting, onDone }: ResumeProps) {
  const [asks, setAsks] = useState(false);
  const resume = async (): Promise<void> => {
    await post(`/accounts/${account}/resume`);
    toast(t.accounts.resumed(account));
    onDone();
  };
  return (
    <For role="operator">
      <Button look="main" icon="play" onClick={() => setAsks(true)}>
        {t.accounts.resume}
      </Button>
      {asks && (
        <Confirm
          title={t.now.resumeTitle(account)}
          action={t.now.resumeNow}
          onConfirm={resume}
          onClose={() => setAsks(false)}
        >
          <p>{waiting === null ? t.now.resumeAll : t.now.resumeText(waiting)}</p>
        </Confirm>
      )}
    </For>
  );
}
