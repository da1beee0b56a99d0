import type { ScanFailure } from '../scan-job.ts';

export const TIMED_OUT: ScanFailure = {
  code: 'analysis_timeout',
  message: 'The analysis of the image took too long.',
  retryable: true,
};

export const BROKE: ScanFailure = {
  code: 'internal_error',
  message: 'The analysis of the image broke off; try again later.',
  retryable: true,
};
