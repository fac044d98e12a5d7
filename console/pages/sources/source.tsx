import { PageHead } from '../../ui/basics.tsx';
import { t } from '../../texts/texts.ts';

export const SourcePage = () => <PageHead title={t.sources.title} />;
