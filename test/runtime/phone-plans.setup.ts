/** Tests read phone numbers without a configuration, which else brings the numbering plans. */
import plans from '../../assets/phones/plans.json';
import { usePlans } from '../../src/template/filters/phone-library.ts';

usePlans(JSON.stringify(plans));
