import { expect, test } from 'vitest';
import { withHome } from '../../src/sandbox/user-list.ts';

const LIST = 'root:x:0:0:root:/root:/bin/bash\nada:x:1000:1000:Ada:/home/ada:/bin/sh\n';

test.each([
  ['the home alone changes', 1000, '/home/box', LIST.replace('/home/ada', '/home/box')],
  ['what is right stays as it is', 1000, '/home/ada', LIST],
  [
    'whoever has no line gets one',
    1007,
    '/tmp/.home',
    `${LIST}user:x:1007:5::/tmp/.home:/bin/sh\n`,
  ],
  ['an empty list gets one', 1000, '/h', 'user:x:1000:5::/h:/bin/sh\n'],
])('BOX-10 in the list of users %s', (name, uid, home, wanted) => {
  const list = name.startsWith('an empty') ? '' : LIST;
  expect(withHome(list, { uid, gid: 5 }, home)).toBe(wanted);
});
