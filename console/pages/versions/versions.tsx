import { PageHead } from '../../ui/basics.tsx';
import { t } from '../../texts/texts.ts';

export const Versions = () => <PageHead title={t.versions.title} />;
