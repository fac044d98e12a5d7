import { PageHead } from '../../ui/basics.tsx';
import { t } from '../../texts/texts.ts';

export const Rejections = () => <PageHead title={t.rejections.title} />;
