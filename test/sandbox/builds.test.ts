import { testBuilds } from './builds.ts';

testBuilds(['gcc', 'python3', 'node']);
