// Loaded by the SDK with `require`, and bundled for workflows: messages and stack traces of failures
// go through the codec like all else.
const { DefaultFailureConverter } = require('@temporalio/common');

exports.failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
