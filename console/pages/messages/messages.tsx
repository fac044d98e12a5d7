import { PageHead } from '../../ui/basics.tsx';
import { t } from '../../texts/texts.ts';

export const Messages = () => <PageHead title={t.messages.title} />;
