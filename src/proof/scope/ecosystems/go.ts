import { folderOf, nameOf } from '../code-files.ts';
import { type Ecosystem, type Finding, found } from '../finding.ts';
import { isAside, isJudgeLike } from '../judge-like.ts';
import { join, type Tree, textOf } from '../tree.ts';

/** Go's modules: each folder of packages, and the files at the top. */
export const go: Ecosystem = {
  findingsOf: (tree) =>
    tree.files
      .filter((file) => nameOf(file) === 'go.mod' && !isAside(file) && !isJudgeLike(`${file}/x.go`))
      .flatMap((file) => [...packagesOf(tree, file), ...standInsOf(tree, file)]),
  imports: {
    extensions: ['go'],
    importsOf: (tree, path) =>
      [...textOf(tree, path).matchAll(/^(?:import)?[\s(]*(?:[\w.]+[ \t]+)?"([\w./-]+)"/gm)].flatMap(
        ([, name = '']) => filesOfPackage(tree, name),
      ),
  },
};

/** The files of a package of the module at the top, but its tests. */
function filesOfPackage(tree: Tree, name: string): string[] {
  const module = moduleOf(textOf(tree, 'go.mod'));
  if (module === '' || !name.startsWith(`${module}/`)) return [];
  const folder = name.slice(module.length + 1);
  const isOf = (file: string) => folderOf(file) === folder && /(?<!_test)\.go$/.test(file);
  return tree.inside(folder).filter(isOf);
}

const moduleOf = (text: string): string => /^module[ \t]+"?([^\s"]+)/m.exec(text)?.[1] ?? '';

function packagesOf(tree: Tree, manifest: string): Finding[] {
  const folder = folderOf(manifest);
  const files = tree.inside(folder).filter((file) => file.endsWith('.go') && !isJudgeLike(file));
  const tops = new Set(
    files.map((file) => file.slice(folder === '' ? 0 : folder.length + 1).split('/')[0] ?? ''),
  );
  return [...tops].flatMap((top) => {
    const path = join(folder, top) ?? '';
    if (tree.has(path)) return [found('flat', folder, `${manifest} makes this folder a package`)];
    if (isAside(top) || tree.has(`${path}/go.mod`)) return [];
    return [found('root', path, `${path} holds packages of ${manifest}`)];
  });
}

/** `replace example.com/x => ./x`: a folder that stands in for what others made. */
function standInsOf(tree: Tree, manifest: string): Finding[] {
  const text = textOf(tree, manifest);
  const own = ownerOf(moduleOf(text));
  return text.split('\n').flatMap((line) => {
    const [before = '', target = ''] = line.split('=>').map((part) => part.trim());
    const module = before.replace(/^replace\s+/, '').split(/\s/)[0] ?? '';
    if (!/^\.{1,2}(\/|$)/.test(target)) return [];
    const place = join(folderOf(manifest), target);
    if (place === null || place === '' || ownerOf(module) === own) return [];
    return [found('kept', place, `${manifest} puts it in the place of ${module}`)];
  });
}

/** `github.com/acme/core/v2` → `github.com/acme`. */
const ownerOf = (module: string): string => module.split('/').slice(0, 2).join('/');
