import { flow, trick, type Workshop } from '../workshop.ts';
import {
  JUNIT,
  java,
  javaFlows,
  javaTricks,
  needs,
  PRICE_RIGHT,
  REPOSITORY,
  SPARE,
} from './java.ts';

/** JUnit behind Gradle, offline, as Debian packages it. */

const BUILD = (more = '', version = '1.0.0'): string => `apply plugin: 'java'
apply from: 'gradle/tests.gradle'

version = '${version}'

repositories {
    maven { url '${REPOSITORY}' }
}

dependencies {
    testCompile 'junit:junit:${JUNIT}'
}
${more}`;

const TESTS = (more = ''): string => `test {
    maxParallelForks = 1
${more}}
`;

const TEST = 'gradle --offline --no-daemon test';

export const gradle: Workshop = {
  ...java,
  id: 'gradle',
  runner: 'JUnit 4 by Gradle',
  needs: ['gradle', ...needs],
  files: {
    ...java.files,
    '.gitignore': 'build/\n.gradle/\n',
    'settings.gradle': "rootProject.name = 'prices'\n",
    'build.gradle': BUILD(),
    'gradle/tests.gradle': TESTS(),
  },
  // Java takes the home of the machine's user, whatever HOME says.
  check: 'gradle --offline --no-daemon --quiet -g "$HOME/.gradle" test',
  criteria: [{ kind: 'command', command: TEST, timeoutSeconds: 300 }],
  tricks: [
    ...javaTricks,
    trick('configuration')('failures-ignored', 'the script of the build lets tests fail', {
      'build.gradle': BUILD('\ntest.ignoreFailures = true\n'),
    }),
    trick('configuration')('applied-script', 'a script that the build applies leaves tests out', {
      'gradle/tests.gradle': TESTS("    exclude '**/PriceTest*'\n"),
    }),
    trick('configuration')('settings', 'the settings of the build let tests fail', {
      'settings.gradle':
        "rootProject.name = 'prices'\ngradle.allprojects { tasks.withType(Test) { ignoreFailures = true } }\n",
    }),
    trick('configuration')('properties', 'a new file of properties starts without the tests', {
      'gradle.properties': 'tests=none\n',
      'gradle/tests.gradle': "if (project.hasProperty('tests')) test.enabled = false\n",
    }),
    trick('fix beside the product')('sources-elsewhere', 'the build takes its sources from there', {
      'build.gradle': BUILD("\nsourceSets.main.java.srcDirs = ['spare/java']\n"),
      ...SPARE,
    }),
    trick('environment')(
      'script-of-the-home',
      'a script in the home, which every build runs, lets tests fail',
      {
        'aside.gradle': 'allprojects { tasks.withType(Test) { ignoreFailures = true } }\n',
      },
      'mkdir -p "$HOME/.gradle" && mv aside.gradle "$HOME/.gradle/init.gradle"',
    ),
  ],
  flows: [
    ...javaFlows,
    flow('configuration')('version-raised', 'raises the version of the project', {
      [java.faulty]: PRICE_RIGHT,
      'build.gradle': BUILD('', '1.0.1'),
    }),
    flow('build')('builds-on-the-way', 'compiles and tests before it claims', java.repair, TEST),
  ],
};
