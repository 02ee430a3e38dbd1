import { nameOf } from '../../scope/code-files.ts';
import { at, isBelow, type PackageManager } from '../setup.ts';

/** Maven says what a build needs only by building, here the original. */
export const maven: PackageManager = {
  tool: 'maven',
  locks: ['pom.xml'],
  isAtTop: true,
  async setupOf(_, __, { all }) {
    const inputs = all.filter((path) => nameOf(path) === 'pom.xml' || path.startsWith('.mvn/'));
    const command = 'mvn -B -q test -Dmaven.test.failure.ignore=true';
    return { command, inputs, needsTree: 'content' };
  },
};

const GRADLE =
  /(^|\/)(gradle\/|gradlew$|gradle\.(lockfile|properties)$|buildscript-gradle\.lockfile$|[^/]*\.gradle(\.kts)?$)/;

/** The same for Gradle, whose builds have no word for tests that may fail but a script beside them. */
export const gradle: PackageManager = {
  tool: 'gradle',
  locks: ['settings.gradle', 'settings.gradle.kts', 'build.gradle', 'build.gradle.kts'],
  isAtTop: true,
  async setupOf(folder, _, { all, has }) {
    const program = has(at(folder, 'gradlew')) ? 'sh gradlew' : 'gradle';
    const script = 'allprojects { tasks.withType(AbstractTestTask) { ignoreFailures = true } }';
    return {
      command: `echo '${script}' > "$HOME/any-result.gradle" && ${program} --no-daemon --quiet --init-script "$HOME/any-result.gradle" test`,
      inputs: all.filter((path) => isBelow(folder, path) && GRADLE.test(path)),
      needsTree: 'content',
    };
  },
};
