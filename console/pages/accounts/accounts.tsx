import { PageHead } from '../../ui/basics.tsx';
import { t } from '../../texts/texts.ts';

export const Accounts = () => <PageHead title={t.accounts.title} />;
