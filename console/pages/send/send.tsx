import { PageHead } from '../../ui/basics.tsx';
import { t } from '../../texts/texts.ts';

export const Send = () => <PageHead title={t.send.title} />;
