/** The service did something wrong; the message is one sentence for an operator. */
export class CheckFailure extends Error {}

/** There is nothing to try; the message says why. */
export class CheckSkip extends Error {}
