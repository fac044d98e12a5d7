import { PageHead } from '../../ui/basics.tsx';
import { t } from '../../texts/texts.ts';

export const Sources = () => <PageHead title={t.sources.title} />;
