import { beforeEach, inject } from 'vitest';

beforeEach(({ skip }) => {
  const reason = inject('noChromium');
  if (reason !== '') skip(reason);
});
