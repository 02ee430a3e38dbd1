export interface Built {
  readonly files: readonly { readonly name: string; readonly sha256: string }[];
  readonly commit: string;
  /** Files differ from the commit: the statement says so instead of claiming it. */
  readonly isDirty: boolean;
  readonly lockSha256: string;
  readonly node: string;
  readonly npm: string;
  readonly startedAt: string;
  readonly finishedAt: string;
}

/** An in-toto statement with SLSA's predicate: what was made, from what, and how. */
export const provenanceOf = ({ files, commit, isDirty, lockSha256, ...run }: Built) => ({
  _type: 'https://in-toto.io/Statement/v1',
  subject: files.map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
  predicateType: 'https://slsa.dev/provenance/v1',
  predicate: {
    buildDefinition: {
      buildType: 'urn:goalkeeper:npm-pack:v1',
      externalParameters: { command: 'npm run release:files', isDirty },
      internalParameters: { node: run.node, npm: run.npm },
      resolvedDependencies: [
        { name: 'source', digest: { gitCommit: commit } },
        { name: 'package-lock.json', digest: { sha256: lockSha256 } },
      ],
    },
    runDetails: {
      builder: { id: 'urn:goalkeeper:release-files:v1' },
      metadata: { startedOn: run.startedAt, finishedOn: run.finishedAt },
    },
  },
});
