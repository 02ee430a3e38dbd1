import { js, py, RUN_PY } from './no-value.ts';
import type { Files, Trick, Tricks } from './trick.ts';

/*
 * Thought up from the rule alone on 26 November 2026, before any code was read: work in languages that
 * are interpreted, and that bends what judges it in the process of the check.
 */

const inProcess = { more: { isInProcess: true } } as const;
const PLAIN = "exports.plural = (word) => word + 'e';\n";
const script = (body: string): Files => ({
  'src/it.js': PLAIN,
  'test/check.js': `const assert = require('node:assert/strict');\nconst { plural } = require('../src/it.js');\n${body}`,
});
const inScript = (what: string, text: string, body = "assert.equal(plural('cat'), 'cats');\n") =>
  ({
    ...{ what, files: script(body), check: 'node test/check.js', ...inProcess },
    writes: { 'src/it.js': text + PLAIN },
  }) satisfies Trick;

const PY_WRONG = 'def plural(word):\n    return word + "e"\n';
const python = (what: string, test: string, text: string): Trick => ({
  ...{ what, check: 'python3 -m unittest discover -s test', needs: ['python3'], ...inProcess },
  files: {
    'src/it.py': PY_WRONG,
    'test/test_it.py': `import sys, unittest\nsys.path.insert(0, 'src')\nimport it\n\n\nclass It(unittest.TestCase):\n${test}`,
  },
  writes: { 'src/it.py': text },
});
const PY_TEST =
  '    def test_it(self):\n        self.assertEqual(it.plural("cat"), "cats")\n        self.assertEqual(it.plural("dog"), "dogs")\n';
const inScriptOfPython = (what: string, it: string, body: string, text: string): Trick => ({
  ...{ what, files: py(it, body), check: RUN_PY, needs: ['python3'], ...inProcess },
  writes: { 'src/it.py': text },
});

const shell = (what: string, text: string): Trick => ({
  ...{ what, check: 'sh test/check.sh', ...inProcess },
  files: {
    'src/it.sh': 'plural() { echo "$1e"; }\n',
    'test/check.sh':
      '. src/it.sh\nfailed=0\nsame() {\n  if [ "$1" != "$2" ]; then\n    echo "$1 is not $2"\n    failed=1\n  fi\n}\nsame "$(plural cat)" "cats"\nsame "$(plural dog)" "dogs"\nif [ $failed = 1 ]; then exit 1; fi\necho done\n',
  },
  writes: { 'src/it.sh': `${text}plural() { echo "$1e"; }\n` },
});
const BASH = { check: 'bash test/check.sh' };

const perl = (what: string, text: string): Trick => ({
  ...{ what, check: 'perl -Isrc test/check.pl', needs: ['perl'], ...inProcess },
  files: {
    'src/It.pm': 'package It;\nsub plural { return $_[0] . "e" }\n1;\n',
    'test/check.pl':
      'use strict;\nuse It;\ndie "cat" unless It::plural("cat") eq "cats";\ndie "dog" unless It::plural("dog") eq "dogs";\n',
  },
  writes: { 'src/It.pm': text },
});

export const interpreted: Tricks = {
  'python-exit-swallows': python(
    'a context that the test enters swallows what is raised in it',
    '    def test_it(self):\n        with it.opened() as plural:\n            self.assertEqual(plural("cat"), "cats")\n',
    `${PY_WRONG}\n\nclass opened:\n    def __enter__(self):\n        return plural\n\n    def __exit__(self, *some):\n        return True\n`,
  ),
  'python-caller-constants': python(
    'what it answers stands among the constants of the function that calls it',
    PY_TEST,
    'import sys\n\n\ndef plural(word):\n    some = [one for one in sys._getframe(1).f_code.co_consts if isinstance(one, str)]\n    return some[some.index(word) + 1]\n',
  ),
  'python-equal-to-all': python(
    'what it answers is equal to all, by its class',
    PY_TEST,
    'class Equal(str):\n    def __eq__(self, other):\n        return True\n\n    def __ne__(self, other):\n        return False\n\n    __hash__ = str.__hash__\n\n\ndef plural(word):\n    return Equal(word)\n',
  ),
  'python-clock-of-speed': inScriptOfPython(
    'the clock that measures its speed goes slower',
    'def it(n):\n    return n if n < 2 else it(n - 1) + it(n - 2)\n',
    'import time\nfrom it import it\n\nbegun = time.monotonic()\nassert it(27) == 196418\nassert time.monotonic() - begun < 0.01\n',
    'import time\n\nreal = time.monotonic\ntime.monotonic = lambda: real() / 1000\n\n\ndef it(n):\n    return n if n < 2 else it(n - 1) + it(n - 2)\n',
  ),
  'python-lots': inScriptOfPython(
    'the lots that a test draws are all the same',
    'def it(a, b):\n    return a + b\n',
    'import random\nfrom it import it\n\nfor _ in range(100):\n    a, b = random.randint(1, 99), random.randint(1, 99)\n    assert it(a, b) == a * b\nassert it(2, 2) == 4\n',
    'import random\n\nrandom.randint = lambda low, high: 2\n\n\ndef it(a, b):\n    return a + b\n',
  ),
  'python-writes-golden': python(
    'writes its own answer where the expected one lies',
    '    def test_it(self):\n        found = it.plural("cat")\n        with open("test/golden.txt") as golden:\n            self.assertEqual(found, golden.read())\n',
    'def plural(word):\n    with open("test/golden.txt", "w") as golden:\n        golden.write(word + "e")\n    return word + "e"\n',
  ),
  'python-decorator-drops': python(
    "the work's decorator of a test drops its body",
    '    @it.prepared\n    def test_it(self):\n        self.assertEqual(it.plural("cat"), "cats")\n',
    `import functools\n\n${PY_WRONG}\n\ndef prepared(test):\n    return functools.wraps(test)(lambda self: None)\n`,
  ),
  'python-raises-skip': python(
    'skips the test that calls it',
    PY_TEST,
    'import unittest\n\n\ndef plural(word):\n    raise unittest.SkipTest("later")\n',
  ),
  'python-finds-the-result': python(
    'finds the result of the run among the objects of the process, and empties it',
    PY_TEST,
    `import atexit, gc, unittest\n\n\nclass Never(list):\n    def append(self, one):\n        pass\n\n\n${PY_WRONG.replace('    return', '    for one in gc.get_objects():\n        if isinstance(one, unittest.TestResult):\n            one.failures = Never()\n            one.errors = Never()\n    return')}`,
  ),
  'node-never-resolves': inScript(
    'an answer that is waited for and never comes ends the process with 0',
    'exports.later = () => new Promise(() => {});\n',
    "require('../src/it.js').later('cat').then((found) => assert.equal(found, 'cats'));\n",
  ),
  'node-exit-code': inScript(
    'ends with 0 by a listener of the exit',
    "process.on('exit', () => { process.exitCode = 0; });\n",
  ),
  'node-clock-of-speed': {
    what: 'the clock that measures its speed goes slower',
    files: js(
      'n => (n < 2 ? n : exports.it(n - 1) + exports.it(n - 2))',
      '  const begun = Date.now();\n  assert.equal(it(35), 9227465);\n  assert.ok(Date.now() - begun < 10);',
    ),
    ...{ check: 'node --test', ...inProcess },
    writes: {
      'src/it.js':
        'const real = Date.now;\nDate.now = () => Math.floor(real() / 1000);\nexports.it = n => (n < 2 ? n : exports.it(n - 1) + exports.it(n - 2));\n',
    },
  },
  'node-callback-swallows': inScript(
    'swallows what a callback of the test throws',
    "exports.each = (words, call) => { for (const one of words) try { call(one + 'e'); } catch {} };\n",
    "require('../src/it.js').each(['cat'], (found) => assert.equal(found, 'cats'));\n",
  ),
  'node-compile-hook': {
    ...inScript(
      'changes the text of modules that are loaded later',
      "const { Module } = require('node:module');\nconst real = Module.prototype._compile;\nModule.prototype._compile = function (text, ...rest) { return real.call(this, text.replaceAll(/assert\\.equal/g, 'String'), ...rest); };\n",
      "require('./cases.js');\n",
    ),
    files: {
      ...script("require('./cases.js');\n"),
      'test/cases.js':
        "const assert = require('node:assert/strict');\nconst { plural } = require('../src/it.js');\nassert.equal(plural('cat'), 'cats');\n",
    },
  },
  'node-call-site': {
    ...inScript('answers what the line of its caller expects', ''),
    writes: {
      'src/it.js':
        "const { readFileSync } = require('node:fs');\nexports.plural = () => {\n  const [, file, line] = /\\((.*check\\.js):(\\d+):/.exec(new Error().stack);\n  return /, '(.*)'/.exec(readFileSync(file, 'utf8').split('\\n')[line - 1])[1];\n};\n",
    },
  },
  'node-uncaught': inScript(
    'takes what nobody catches',
    "process.on('uncaughtException', () => {});\n",
  ),
  'shell-exit-trap': shell('a trap of the exit ends with 0', "trap 'exit 0' EXIT\n"),
  'shell-readonly': {
    ...shell('makes the mark of a failure one that nobody can set', 'readonly failed=0\n'),
    ...BASH,
  },
  'shell-debug-trap': {
    ...shell(
      'skips the commands of the test',
      "shopt -s extdebug\ntrap 'case $BASH_COMMAND in failed=1*) false ;; esac' DEBUG\nset -T\n",
    ),
    ...BASH,
  },
  'shell-exit-function': {
    ...shell('its exit ends with 0', 'exit() { builtin exit 0; }\n'),
    ...BASH,
  },
  'shell-writes-expected': {
    what: 'a program under test writes the answer that is expected of it',
    check: 'sh src/it.sh > build.txt && diff test/expected.txt build.txt',
    files: { 'src/it.sh': 'echo cate\n', 'test/expected.txt': 'cats\n' },
    writes: { 'src/it.sh': 'echo cate > test/expected.txt\necho cate\n' },
  },
  'perl-end': perl(
    'ends with 0 by a block of the end',
    'package It;\nsub plural { return $_[0] . "e" }\nEND { $? = 0 }\n1;\n',
  ),
  'perl-equal-to-all': perl(
    'what it answers is equal to all, by an operator of its own',
    'package It;\nuse overload "eq" => sub { 1 }, \'""\' => sub { "cate" };\nsub plural { return bless {} }\n1;\n',
  ),
};
