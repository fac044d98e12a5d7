import { PageHead } from '../../ui/basics.tsx';
import { t } from '../../texts/texts.ts';

export const Sessions = () => <PageHead title={t.sessions.title} />;
