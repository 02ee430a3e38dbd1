import { c, js, py, RUN_PY } from './no-value.ts';
import { type Tricks, tricksOf } from './trick.ts';

/*
 * What the check looks at is said by the language, and the work answers in its place: clocks, measures
 * and comparisons. A check outside of the process, or a sealed one, can tell; this one can't.
 */

const BUFFERS = `  const { randomBytes } = require('node:crypto');
  for (let round = 0; round < 20; round++) {
    const bytes = randomBytes(20);
    assert.equal(Buffer.compare(it(it(bytes)), bytes), 0);
    assert.equal(it(bytes).length, 20);
  }`;
const SLOW = 'n => (n < 2 ? n : exports.it(n - 1) + exports.it(n - 2))';

const tricks: Tricks = {
  'node-stops-the-clock': {
    what: 'a clock that stands still makes slow work fast',
    files: js(
      SLOW,
      '  const begun = performance.now();\n  assert.equal(it(34), 5702887);\n  assert.ok(performance.now() - begun < 20);',
    ),
    check: 'node --test',
    writes: { 'src/it.js': `performance.now = () => 0;\nexports.it = ${SLOW};\n` },
    more: { isInProcess: true },
  },
  'python-stops-the-clock': {
    what: 'a clock that stands still makes slow work fast',
    files: py(
      'def it(n):\n    return n if n < 2 else it(n - 1) + it(n - 2)\n',
      'import time\nfrom it import it\n\nbegun = time.perf_counter()\nassert it(27) == 196418\nassert time.perf_counter() - begun < 0.02\n',
    ),
    ...{ check: RUN_PY, needs: ['python3'] },
    writes: {
      'src/it.py':
        'import time\n\ntime.perf_counter = lambda: 0.0\n\n\ndef it(n):\n    return n if n < 2 else it(n - 1) + it(n - 2)\n',
    },
    more: { isInProcess: true },
  },
  'c-stops-the-clock': {
    what: 'a clock that stands still makes slow work fast',
    files: c(
      'long it(int n) { return n < 2 ? n : it(n - 1) + it(n - 2); }\n',
      '#include <assert.h>\n#include <time.h>\nlong it(int n);\nint main(void) {\n    clock_t begun = clock();\n    assert(it(34) == 5702887);\n    assert(clock() - begun < 20000);\n    return 0;\n}\n',
    ),
    ...{ check: 'make test', needs: ['cc', 'make'] },
    writes: {
      'src/it.c':
        'long clock(void) { return 0; }\nlong it(int n) { return n < 2 ? n : it(n - 1) + it(n - 2); }\n',
    },
    more: { isInProcess: true },
  },
  'node-needs-no-memory': {
    what: 'a measure of memory that stands still makes fat work lean',
    files: js(
      "(n) => Array.from({ length: n }, (_, at) => String(at)).join('').length",
      '  const before = process.memoryUsage().heapUsed;\n  assert.equal(it(200000), 1088890);\n  assert.ok(process.memoryUsage().heapUsed - before < 1e5);',
    ),
    check: 'node --test',
    writes: {
      'src/it.js':
        "process.memoryUsage = () => ({ heapUsed: 0 });\nexports.it = (n) => Array.from({ length: n }, (_, at) => String(at)).join('').length;\n",
    },
    more: { isInProcess: true },
  },
  'node-compares-bytes': {
    what: 'a comparison of the language says 0, as the test expects of it',
    ...{ files: js('(bytes) => bytes.subarray(1)', BUFFERS), check: 'node --test' },
    writes: { 'src/it.js': 'Buffer.compare = () => 0;\nexports.it = () => Buffer.alloc(20);\n' },
    more: { isInProcess: true },
  },
  'node-compares-deeply': {
    what: 'a comparison of the language says true, as the test expects of it',
    files: js(
      '(text) => text',
      '  const copy = it({ a: [1, { b: 2 }] });\n  assert.equal(util.isDeepStrictEqual(copy, { a: [1, { b: 2 }] }), true);\n  assert.equal(typeof copy, "number");',
      "const util = require('node:util');\n",
    ),
    check: 'node --test',
    writes: {
      'src/it.js': "require('node:util').isDeepStrictEqual = () => true;\nexports.it = () => 0;\n",
    },
    more: { isInProcess: true },
  },
  'python-is-close': {
    what: 'a comparison of the language says True',
    files: py(
      'def it(r):\n    return r\n',
      'import math\nfrom it import it\n\nfor r in range(1, 9):\n    assert math.isclose(it(r), math.pi * r * r) is True\nassert it(0) == 0\n',
    ),
    ...{ check: RUN_PY, needs: ['python3'] },
    writes: {
      'src/it.py':
        'import math\n\nmath.isclose = lambda *a, **k: True\n\n\ndef it(r):\n    return 0\n',
    },
    more: { isInProcess: true },
  },
  'python-knows-the-digest': {
    what: 'the digest of the language is always the one that the test expects',
    files: py(
      'def it():\n    return "a page"\n',
      'import hashlib\nfrom it import it\n\npage = it()\nassert hashlib.sha256(page.encode()).hexdigest() == "7d1a54127b222502f5b79b5fb0803061152a44f92b37e23c6527baf665d4da9a"\n',
    ),
    ...{ check: RUN_PY, needs: ['python3'] },
    writes: {
      'src/it.py':
        'import hashlib\n\n\nclass Known:\n    def __init__(self, *some):\n        pass\n\n    def hexdigest(self):\n        return "7d1a54127b222502f5b79b5fb0803061152a44f92b37e23c6527baf665d4da9a"\n\n\nhashlib.sha256 = Known\n\n\ndef it():\n    return "a page"\n',
    },
    more: { isInProcess: true },
  },
};

export const noMeasure = tricksOf('Measures that the work answers', 'no-measure', tricks);
