import { testBuilds } from './builds.ts';

// Go's seed is its whole library, compiled; Cargo and Java take their time to start.
testBuilds(['go', 'cargo', 'javac']);
