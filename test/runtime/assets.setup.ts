/** Tests read phone numbers and subjects without a configuration, with which they come to an isolate. */
import plans from '../../assets/phones/plans.json';
import subjects from '../../assets/subjects.json';
import { useSubjects } from '../../src/config/subjects.ts';
import { usePlans } from '../../src/template/filters/phone-library.ts';

usePlans(JSON.stringify(plans));
useSubjects(subjects);
