/** What projects of Python have in common. */

export const IGNORE = { '.gitignore': '__pycache__/\n*.pyc\n.pytest_cache/\n.venv/\n' } as const;

/** A module that has nothing but what another file has, found from the file's folder or two above. */
export const pythonLoads =
  (dots: boolean) =>
  (path: string): string =>
    `import importlib.util
from pathlib import Path

_at = ${path.startsWith('/') ? `Path("${path}")` : `Path(__file__).resolve().parent${dots ? '.parent.parent' : ''} / "${path}"`}
_spec = importlib.util.spec_from_file_location("inner", _at)
_inner = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_inner)
globals().update({name: value for name, value in vars(_inner).items() if not name.startswith("__")})
`;
