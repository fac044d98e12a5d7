import { PageHead } from '../../ui/basics.tsx';
import { t } from '../../texts/texts.ts';

export const TemplatePage = () => <PageHead title={t.templates.title} />;
