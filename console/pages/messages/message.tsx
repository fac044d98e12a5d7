import { PageHead } from '../../ui/basics.tsx';
import { t } from '../../texts/texts.ts';

export const MessagePage = () => <PageHead title={t.messages.title} />;
