import { hidden, type Script } from './scripts-js.ts';

/*
 * The same in Python: of types that are the language's own, `type` itself is asked of a literal.
 */

const WALK = `
T = "".__class__.__class__
STR, INT, FLOAT, BOOL, BYTES = "".__class__, (0).__class__, (0.5).__class__, (1 == 1).__class__, b"".__class__
LIST, TUPLE, DICT, SET = [].__class__, ().__class__, {}.__class__, {0}.__class__
def walk(x, depth, state):
    state[0] += 1
    if state[0] > 20000 or depth > 12:
        state[1] = True
        return ""
    kind = T(x)
    if kind is STR:
        return "s%d:%s" % (x.__len__(), x)
    if x is None or kind is INT or kind is FLOAT or kind is BOOL or kind is BYTES:
        return "%s %r" % (kind.__name__, x)
    if kind is LIST or kind is TUPLE:
        return "%s(%s)" % (kind.__name__, ",".join([walk(one, depth + 1, state) for one in x]))
    if kind is DICT:
        parts = [walk(one, depth + 1, state) + "=" + walk(x[one], depth + 1, state) for one in x]
    elif kind is SET:
        parts = [walk(one, depth + 1, state) for one in x]
    else:
        state[1] = True
        return kind.__name__
    parts.sort()
    return "{%s}" % ",".join(parts)
found = []
def tell(line):
    o = __import__("os")
    if not found:
        for at in (o.getcwd(), o.environ.get("PWD") or "/", o.path.dirname(o.path.abspath(here))):
            while not found:
                if o.path.exists(o.path.join(at, file)):
                    found.append(o.path.join(at, file))
                if at == o.path.dirname(at):
                    break
                at = o.path.dirname(at)
    if found:
        to = o.open(found[0], o.O_WRONLY | o.O_APPEND)
        o.write(to, (line + "\\n").encode("utf8", "surrogatepass"))
        o.close(to)
`;

/** Behind the names that it needs, before the first import of a text. */
const run = ({ word, file }: Script, program: string): string =>
  `${word}n = {"file": "${file}", "here": __file__}; exec(${JSON.stringify(program)}, ${word}n); ${word} = ${word}n["w"]; `;

export function scriptInPython(script: Script): string {
  const own = `${script.word}n`;
  const says = script.sets === null ? records(own) : checks(script, script.sets);
  const program = WALK + says + (script.isWithoutWork ? nothing(own) : '');
  return run(script, program) + (script.isWithoutWork ? `${own} = ${own}["n"]; ` : '');
}

const records = (nothing: string): string => `
told = {}
def w(site, side, v):
    state = [0, False]
    said = walk(v, 0, state)
    known = not state[1] and "${nothing}" not in said and "987651234" not in said
    known = known and (__import__("os").environ.get("TMPDIR") or "/tmp") + "/" not in said
    line = __import__("json").dumps([site, side, said if known else None])
    if line not in told:
        told[line] = 1
        tell(line)
    return v
`;

const nothing = (nothing: string): string => `
class Nothing:
    def __init__(self, *a, **k):
        pass
    def __getattr__(self, name):
        if name[:2] == "__":
            raise AttributeError(name)
        return self
    def __mro_entries__(self, bases):
        return ()
    def __bool__(self):
        return True
    def __hash__(self):
        return 0
    def __len__(self):
        return 0
    def __iter__(self):
        return iter(())
    def __await__(self):
        return self
        yield
    async def __aenter__(self):
        return self
    async def __aexit__(self, *a):
        return True
    async def __anext__(self):
        raise StopAsyncIteration
    def __exit__(self, *a):
        return True
    def __str__(self):
        return "${nothing}"
    __repr__ = __fspath__ = __str__
    def __format__(self, spec):
        return "${nothing}"
    def __int__(self):
        return 987651234
    __index__ = __int__
    def __float__(self):
        return 987651234.5
    def __contains__(self, one):
        return True
def same(self, *a, **k):
    return self
for name in "call getitem setitem delitem enter aiter eq ne lt le gt ge add radd sub rsub mul rmul truediv rtruediv floordiv mod rmod pow and or xor neg pos abs invert lshift rshift matmul round reversed".split():
    setattr(Nothing, "__%s__" % name, same)
n = Nothing()
`;

function checks({ word }: Script, sets: NonNullable<Script['sets']>): string {
  const known = [...sets].map(
    ([side, values]) =>
      `"${side}": {${[...values].map(([said, token]) => `${hidden(said)}: "${token}"`).join(', ')}}`,
  );
  return `
sets = {${known.join(', ')}}
last = {}
def w(site, side, v):
    all = sets["%d.%d" % (site, side)]
    said = walk(v, 0, [0, False])
    if said not in all:
        here = "%d.%d" % (site, 1 - side)
        if last[site] if side == 1 and here in sets and site in last else here not in sets:
            try:
                tell("!%d" % site)
            finally:
                {}["${word} %d" % site]
    elif all[said]:
        token = all[said]
        all[said] = ""
        tell(token)
    if side == 0:
        last[site] = said not in all
    return v
`;
}
