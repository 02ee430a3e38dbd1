import { InterceptingCall, type Interceptor, Metadata, status } from '@grpc/grpc-js';
import { defaultGrpcRetryOptions, makeGrpcRetryInterceptor } from '@temporalio/client';

/** The longest that Temporal lets anybody wait for news is a minute. */
const PATIENCE_MS = 90_000;

/**
 * Interceptors of a connection to Temporal. The SDK repeats a failed call from a timer that closing
 * the connection doesn't end, and a call on a closed channel throws: from that timer it would end
 * the process. Such a call ends as cancelled here, like any other that was under way. One that nobody
 * answers, while the line itself lives, ends as well.
 */
export const callInterceptors = (patienceMs = PATIENCE_MS): Interceptor[] => [
  makeGrpcRetryInterceptor(defaultGrpcRetryOptions()),
  endsOnClosedChannel,
  endsInTime(patienceMs),
];

const endsInTime =
  (patienceMs: number): Interceptor =>
  (options, nextCall) =>
    new InterceptingCall(
      nextCall({ ...options, deadline: options.deadline ?? Date.now() + patienceMs }),
    );

type Call = ConstructorParameters<typeof InterceptingCall>[0];

const endsOnClosedChannel: Interceptor = (options, nextCall) => {
  const begin = (): Call => {
    try {
      return nextCall(options);
    } catch (error) {
      return endedCall(`${error}`);
    }
  };
  return new InterceptingCall(begin());
};

const endedCall = (details: string): Call => ({
  start: (_, listener) => {
    // A unary call tells its status behind its message.
    listener?.onReceiveMessage?.(null);
    listener?.onReceiveStatus?.({ code: status.CANCELLED, details, metadata: new Metadata() });
  },
  sendMessage: () => {},
  sendMessageWithContext: () => {},
  startRead: () => {},
  halfClose: () => {},
  cancelWithStatus: () => {},
  getPeer: () => '',
  getAuthContext: () => null,
});
