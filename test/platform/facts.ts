/** What comes to an isolate with its configuration, for tests on workerd that compile or read numbers without one. */
import facts from '../../assets/facts.json?raw';
import { parseFacts, useFacts } from '../../src/config/compiled/facts.ts';

useFacts(parseFacts(facts));
