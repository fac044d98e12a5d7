import { PageHead } from '../../ui/basics.tsx';
import { t } from '../../texts/texts.ts';

export const Recipients = () => <PageHead title={t.recipients.title} />;
