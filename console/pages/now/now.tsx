import { PageHead } from '../../ui/basics.tsx';
import { t } from '../../texts/texts.ts';

export const Now = () => <PageHead title={t.now.title} />;
