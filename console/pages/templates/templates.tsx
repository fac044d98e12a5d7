import { PageHead } from '../../ui/basics.tsx';
import { t } from '../../texts/texts.ts';

export const Templates = () => <PageHead title={t.templates.title} />;
