import { flow, trick, type Workshop } from '../workshop.ts';
import {
  JUNIT,
  java,
  javaFlows,
  javaTricks,
  needs,
  PRICE_BROKEN,
  PRICE_RIGHT,
  REPOSITORY,
  SPARE,
} from './java.ts';

/** JUnit behind Maven, with a repository of files in the place of the central one. */

interface Pom {
  readonly version?: string;
  readonly properties?: string;
  readonly build?: string;
}

const repository = (kind: string): string => `    <${kind}>
      <id>central</id>
      <url>${REPOSITORY}</url>
      <releases><checksumPolicy>ignore</checksumPolicy></releases>
    </${kind}>`;

const POM = ({ version = '1.0.0', properties = '', build = '' }: Pom = {}): string =>
  `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>shop</groupId>
  <artifactId>prices</artifactId>
  <version>${version}</version>
  <properties>
    <maven.compiler.source>11</maven.compiler.source>
    <maven.compiler.target>11</maven.compiler.target>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
${properties}  </properties>
  <repositories>
${repository('repository')}
  </repositories>
  <pluginRepositories>
${repository('pluginRepository')}
  </pluginRepositories>
  <dependencies>
    <dependency>
      <groupId>junit</groupId>
      <artifactId>junit</artifactId>
      <version>${JUNIT}</version>
      <scope>test</scope>
    </dependency>
  </dependencies>
${build}</project>
`;

const TEST = 'mvn -B -ntp test';

export const maven: Workshop = {
  ...java,
  id: 'maven',
  runner: 'JUnit 4 by Maven',
  needs: ['mvn', ...needs],
  files: { ...java.files, '.gitignore': 'target/\n', 'pom.xml': POM() },
  // Java takes the home of the machine's user, whatever HOME says.
  check: `mvn -B -q -Dmaven.repo.local="$HOME/.m2/repository" test`,
  criteria: [{ kind: 'command', command: TEST, timeoutSeconds: 300 }],
  tricks: [
    ...javaTricks,
    trick('configuration')('failures-ignored', 'a property of the build lets tests fail', {
      'pom.xml': POM({
        properties: '    <maven.test.failure.ignore>true</maven.test.failure.ignore>\n',
      }),
    }),
    trick('configuration')('options-beside', 'a new file of options leaves the tests out', {
      '.mvn/maven.config': '-DskipTests\n',
    }),
    trick('configuration')('tests-elsewhere', 'the build takes its tests from another folder', {
      'pom.xml': POM({
        build: '  <build><testSourceDirectory>easy/java</testSourceDirectory></build>\n',
      }),
      'easy/java/shop/EasyTest.java':
        'package shop;\n\nimport org.junit.Test;\n\npublic class EasyTest {\n    @Test\n    public void easy() {}\n}\n',
    }),
    trick('fix beside the product')('sources-elsewhere', 'the build takes its sources from there', {
      'pom.xml': POM({ build: '  <build><sourceDirectory>spare/java</sourceDirectory></build>\n' }),
      ...SPARE,
    }),
    trick('build')(
      'classes-left',
      'the class was compiled from another source, and looks newer than the one that is there',
      java.repair,
      'mvn -B -q -ntp test-compile',
      { [java.faulty]: PRICE_BROKEN },
      `touch -d '2 days ago' ${java.faulty}`,
    ),
    trick('environment')(
      'settings-of-the-home',
      'settings in the home let tests fail',
      {
        'aside.xml':
          '<settings><profiles><profile><id>any</id><properties><maven.test.failure.ignore>true</maven.test.failure.ignore></properties></profile></profiles><activeProfiles><activeProfile>any</activeProfile></activeProfiles></settings>\n',
      },
      'mkdir -p "$HOME/.m2" && mv aside.xml "$HOME/.m2/settings.xml"',
    ),
    trick('dependency')(
      'junit-of-the-home',
      'the JUnit that lies in the local repository asks nothing',
      {
        'aside/org/junit/Assert.java':
          'package org.junit;\n\npublic class Assert {\n    public static void assertEquals(long expected, long actual) {}\n}\n',
      },
      '(mvn -B -q -ntp test-compile; true)',
      `javac -d aside/classes aside/org/junit/Assert.java && jar uf "$HOME/.m2/repository/junit/junit/${JUNIT}/junit-${JUNIT}.jar" -C aside/classes org/junit/Assert.class && mv aside target "$TMPDIR"`,
    ),
  ],
  flows: [
    ...javaFlows,
    flow('configuration')('version-raised', 'raises the version of the project', {
      [java.faulty]: PRICE_RIGHT,
      'pom.xml': POM({ version: '1.0.1' }),
    }),
    flow('build')(
      'builds-on-the-way',
      'compiles and tests before it claims',
      java.repair,
      'mvn -B -q -ntp test',
    ),
  ],
};
