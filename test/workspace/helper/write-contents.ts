export const CONTENTS = ['old line\n'.repeat(60_000), 'and a new one\n'.repeat(90_000)];
