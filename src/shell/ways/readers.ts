import type { Script } from '../read/script.ts';
import { commandsIn } from '../read/walk.ts';
import { unwrap } from '../read/wrappers.ts';

const reading =
  /^(cat|grep|egrep|rg|ls|head|tail|less|sed|awk|find|wc|diff|cmp|jq|git|echo|printf|test|\[|\[\[|cd|sort|uniq|stat|file)$/;

/** Only looks at what is there: a test summary in its output is somebody else's. */
export function onlyReads(script: Script): boolean {
  const names = commandsIn(script).map(({ words }) => unwrap(words).words[0]?.text);
  return names.every((name) => name === undefined || reading.test(name));
}
