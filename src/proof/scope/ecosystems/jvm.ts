import { folderOf, nameOf } from '../code-files.ts';
import { type Ecosystem, found } from '../finding.ts';
import { isAside } from '../judge-like.ts';
import { join, textOf } from '../tree.ts';

/** `src/main/java`, and `src/commonMain/kotlin` of projects for several platforms. */
const SOURCE_SET = /^(?:.*\/)?src\/(?:main|\w+Main)\/(?:java|kotlin|scala|groovy|clojure)(?=\/)/;

/** Maven, Gradle and sbt: source sets, wherever a project of several modules has them. */
export const jvm: Ecosystem = {
  findingsOf: (tree) => {
    const sets = new Set(
      tree.files.flatMap((file) => SOURCE_SET.exec(file)?.[0] ?? []).filter((set) => !isAside(set)),
    );
    const named = tree.files
      .filter((file) => nameOf(file) === 'pom.xml')
      .flatMap((file) =>
        [...textOf(tree, file).matchAll(/<sourceDirectory>([^<$]{1,300})</g)].flatMap(
          ([, name = '']) => {
            const path = join(folderOf(file), name.trim());
            return path === null || path === ''
              ? []
              : [found('root', path, `${file} names ${name}`)];
          },
        ),
      );
    return [
      ...named,
      ...[...sets].map((set) => found('root', set, `${set} is a source set by convention`)),
    ];
  },
};
